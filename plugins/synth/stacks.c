/* stacks.c - call stacks: what code calls what, how a stack is told, and how often a function is on one.

   A stack is one of some hundred patterns, made once, in two halves: the kernel's and the program's. One idea: a pattern
   is counted as a whole when it is told, so the weights of all functions cost nothing until the end. The user half is
   told a little later, when the thread returns from the kernel. With keys, a half is told by the key of a cache and its
   frames when the cache drops it; then the key stands for another one. */
#include "computer.h"

enum {
    DELAY = 20,
    SPREAD = 400, /* of a user half, ticks */
    BASIC = 5     /* libraries that are there in every process */
};

/* ---- Patterns ---- */

typedef struct maker {
    model *m;
    chance chance;
    stack_pattern *pattern;
    stack_frame *frame;
    uint16_t *function;
} maker;

static void add_frame(maker *k, uint32_t image_number, uint32_t function)
{
    const model *m = k->m;
    uint32_t n = k->pattern->n++;
    uint64_t base = image_number < CATALOG_FIRST_LIBRARY   ? m->module[image_number].base
                    : image_number < CATALOG_FIRST_PROGRAM ? m->library[image_number - CATALOG_FIRST_LIBRARY].base
                                                           : 0;

    k->frame[n] = (stack_frame){
        .address = base + CATALOG_CODE + function * CATALOG_FUNCTION_BYTES +
                   chance_below(&k->chance, CATALOG_FUNCTION_BYTES),
        .program = image_number < CATALOG_FIRST_PROGRAM ? 0 : ~UINT64_C(0),
    };
    k->function[n] = (uint16_t)(image_number * CATALOG_FUNCTIONS + function);
}

/* One more frame outside of the others: often one that is on the stack already, since code calls itself. */
static void add_caller(maker *k, uint32_t image_number)
{
    uint32_t n = k->pattern->n, back = 1 + chance_below(&k->chance, 3);

    if (n > back && chance_one_in(&k->chance, 6))
        add_frame(k, k->function[n - back] / CATALOG_FUNCTIONS, k->function[n - back] % CATALOG_FUNCTIONS);
    else
        add_frame(k, image_number, chance_below(&k->chance, CATALOG_FUNCTIONS));
}

static uint32_t depth(maker *k, int user)
{
    static const uint32_t least[2][2] = { { 3, 4 }, { 20, 72 } }, more[2][2] = { { 8, 12 }, { 26, 116 } };
    int server = k->m->options.server;

    return least[server][user] + chance_below(&k->chance, more[server][user]);
}

static void make_kernel_half(maker *k)
{
    static const uint8_t modules[] = { MODULE_KERNEL,   MODULE_KERNEL, MODULE_NTFS,  MODULE_FLTMGR,
                                       MODULE_STORPORT, MODULE_NVME,   MODULE_TCPIP, MODULE_KERNEL };
    uint32_t frames = depth(k, 0), number = modules[chance_below(&k->chance, sizeof modules)];

    while (k->pattern->n < frames - 1) {
        add_caller(k, number);
        if (chance_one_in(&k->chance, 3)) number = modules[chance_below(&k->chance, sizeof modules)];
    }
    add_frame(k, MODULE_KERNEL, 0); /* where calls of programs come in */
}

static void make_user_half(maker *k, uint32_t program)
{
    uint32_t frames = depth(k, 1), leaf = chance_below(&k->chance, BASIC + 1);

    if (leaf < BASIC) add_frame(k, CATALOG_FIRST_LIBRARY + leaf, chance_below(&k->chance, CATALOG_FUNCTIONS));
    while (k->pattern->n < frames - 2)
        add_caller(k, chance_one_in(&k->chance, 5) ? CATALOG_FIRST_LIBRARY + chance_below(&k->chance, BASIC)
                                                   : CATALOG_FIRST_PROGRAM + program);
    add_frame(k, CATALOG_FIRST_LIBRARY + 1, 0); /* where threads begin */
    add_frame(k, CATALOG_FIRST_LIBRARY, 0);
}

void stacks_begin(model *m)
{
    maker k = { .m = m, .chance = { m->options.seed ^ 0x5354414B43414C4Cu } };

    for (uint32_t i = 0; i < PATTERNS; i++) {
        k.pattern = &m->pattern[i];
        k.frame = m->frames + i * STACK_DEPTH;
        k.function = m->functions + i * STACK_DEPTH;
        *k.pattern = (stack_pattern){ .number = i, .frame = k.frame, .function = k.function };
        if (i < KERNEL_PATTERNS)
            make_kernel_half(&k);
        else
            make_user_half(&k, (i - KERNEL_PATTERNS) / USER_PATTERNS);
    }
}

/* The first ones are seen more often. */
static uint32_t skewed(model *m, uint32_t n)
{
    uint32_t a = below(m, n), b = below(m, n);

    return a < b ? a : b;
}

const stack_pattern *kernel_pattern(model *m)
{
    return &m->pattern[skewed(m, KERNEL_PATTERNS)];
}

const stack_pattern *user_pattern(model *m, const process *p)
{
    if (!p->has_program || p->life != RUNS) return NULL;
    return &m->pattern[KERNEL_PATTERNS + p->program * USER_PATTERNS + skewed(m, USER_PATTERNS)];
}

/* ---- Telling ---- */

static int has_keys(const model *m)
{
    return m->options.stacks == MODEL_STACKS_KEYS && is_told(m, STACK_KEY_KERNEL);
}

static uint64_t key_of(const model *m, uint32_t slot)
{
    return m->space->stack_key + slot * 0x40ull + 0x10;
}

/* The key that stands for a half from now on. What it stood for before is told, and is over one tick later. */
static uint64_t take_key(model *m, const stack_pattern *half, uint64_t program, uint32_t cpu)
{
    uint64_t mix =
        (half->number + 1) * 0x9E3779B97F4A7C15u ^ (half->frame[0].program & program) * 0xC2B2AE3D27D4EB4Fu;
    uint32_t slot = (uint32_t)((mix ^ mix >> 29) % STACK_KEYS);
    stack_key *key = &m->key[slot];

    if (key->pattern && (key->pattern != half || key->program != program)) {
        stack_facts *facts = &tell(m, STACK_KEY_DELETE, cpu)->stack;

        *facts = (stack_facts){ .kernel = key->pattern, .program = key->program, .key = key_of(m, slot) };
        m->now++;
    }
    *key = (stack_key){ half, program };
    return key_of(m, slot);
}

static void tell_half(model *m, uint32_t cpu, const stack_facts *facts)
{
    const stack_pattern *half = facts->kernel ? facts->kernel : facts->user;
    uint64_t key = has_keys(m) ? take_key(m, half, facts->kernel ? 0 : facts->program, cpu) : 0;
    happening *h = tell(m, !has_keys(m) ? STACK : facts->kernel ? STACK_KEY_KERNEL : STACK_KEY_USER, cpu);

    h->stack = *facts;
    h->stack.key = key;
}

int stacks_straggle(model *m, uint64_t until)
{
    const straggler *s = &m->waiting[m->first_waiting];

    if (!m->nwaiting || s->due > until) return 0;
    if (s->due > m->now) m->now = s->due;
    m->first_waiting = (m->first_waiting + 1) % STACK_WAITING;
    m->nwaiting--;
    tell_half(m, s->cpu, &s->facts);
    return 1;
}

static void put_off(model *m, uint32_t cpu, const stack_facts *facts)
{
    uint64_t due = m->now + DELAY + below(m, SPREAD);
    uint32_t last;

    if (m->nwaiting == STACK_WAITING) (void)stacks_straggle(m, UINT64_MAX);
    last = (m->first_waiting + m->nwaiting) % STACK_WAITING;
    if (m->nwaiting && m->waiting[(last + STACK_WAITING - 1) % STACK_WAITING].due > due)
        due = m->waiting[(last + STACK_WAITING - 1) % STACK_WAITING].due;
    if (due > m->body_end) due = m->body_end;
    m->waiting[last] = (straggler){ due, (uint16_t)(one_in(m, 32) ? any_cpu(m) : cpu), *facts };
    m->nwaiting++;
}

static void count(model *m, happening_kind of, const stack_pattern *kernel, const stack_pattern *user)
{
    const stack_pattern *top = kernel ? kernel : user;

    m->truth.stacks_of[of]++;
    m->truth.frames_of[of] += (kernel ? kernel->n : 0) + (user ? user->n : 0);
    if (of != SAMPLE) return;
    if (kernel) m->pattern[kernel->number].hits++;
    if (user) m->pattern[user->number].hits++;
    if (top) m->pattern[top->number].tops++;
}

void stack_tell(model *m, happening_kind of, uint32_t cpu, uint32_t pid, uint32_t tid, const process *p,
                const stack_pattern *kernel, const stack_pattern *user)
{
    stack_facts facts = { .of = m->now, .pid = pid, .tid = tid, .program = p ? p->own.base : 0 };
    int together = kernel && user && !has_keys(m) && one_in(m, 16);

    if (m->options.stacks == MODEL_STACKS_NONE || !is_told(m, STACK)) return;
    count(m, of, kernel, user);
    if (kernel) {
        facts.kernel = kernel;
        facts.user = together ? user : NULL;
        tell_half(m, cpu, &facts);
    }
    if (!user || together) return;
    facts.kernel = NULL;
    facts.user = user;
    put_off(m, cpu, &facts);
}

int stacks_rundown(model *m)
{
    uint32_t slot = m->rundown.index++;
    const stack_key *key = &m->key[slot];

    if (slot == STACK_KEYS) return 0;
    if (key->pattern)
        tell(m, STACK_KEY_RUNDOWN, 0)->stack =
            (stack_facts){ .kernel = key->pattern, .program = key->program, .key = key_of(m, slot) };
    return 1;
}

/* ---- Truth: a function counts once a stack, however often it is on it ---- */

void stacks_close(model *m)
{
    for (uint32_t f = 0; f < CATALOG_IMAGES * CATALOG_FUNCTIONS; f++) {
        uint64_t inclusive = 0, exclusive = 0;
        for (uint32_t i = 0; i < PATTERNS; i++) {
            const stack_pattern *p = &m->pattern[i];
            uint32_t n = 0;

            if (!p->hits) continue;
            if (p->function[0] == f) exclusive += p->tops;
            while (n < p->n && p->function[n] != f) n++;
            if (n < p->n) inclusive += p->hits;
        }
        if (!inclusive) continue;
        truth_line(&m->truth, "function", "\"image\":\"%s\",\"rva\":\"0x%x\",\"inclusive\":%llu,\"exclusive\":%llu",
                   catalog_images[f / CATALOG_FUNCTIONS].name,
                   (unsigned)(CATALOG_CODE + f % CATALOG_FUNCTIONS * CATALOG_FUNCTION_BYTES),
                   (unsigned long long)inclusive, (unsigned long long)exclusive);
    }
}
