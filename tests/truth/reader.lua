-- reader.lua - an independent, slow reader of .etl files that finds what synth.kernel says its traces hold.
--
-- It shares no code, no table and no layout with the project: bytes are taken from the file by offsets that are written
-- down here from the format's public descriptions, and sums are made from events alone. It prints what `truth` writes, so
-- the two can be compared line by line:   luajit reader.lua TRACE.etl TRUTH.ndjson
local ffi, bit = require "ffi", require "bit"
local band, bor, lshift, rshift = bit.band, bit.bor, bit.lshift, bit.rshift

local trace_name, truth_name = ...
local file = assert(io.open(trace_name, "rb"))
local text = file:read "*a"
file:close()
local bytes = ffi.cast("const uint8_t *", text)

local function u8(at) return bytes[at] end
local function u16(at) return bytes[at] + 256 * bytes[at + 1] end
local function u32(at) return u16(at) + 65536 * u16(at + 2) end
local function u64(at) return u32(at) + 4294967296 * u32(at + 4) end -- exact below 2^53
local function s32(at) local v = u32(at) return v >= 2147483648 and v - 4294967296 or v end
local function s64(at) return u32(at) + 4294967296 * s32(at + 4) end -- kernel addresses are small negative numbers

-- ---- The file: buffers of events --------------------------------------------------------------------------------------

local events, order = {}, 0
local first_header

local function add(e)
    order = order + 1
    e.order = order
    events[#events + 1] = e
end

local function read_event(at, limit, cpu)
    local kind, family = u8(at + 2), u8(at + 3)
    assert(family == 0xC0, "an event of an unknown family at " .. at)
    local e = { cpu = cpu, kind = kind }
    local size
    if kind == 0x01 or kind == 0x02 then -- SYSTEM
        size = u16(at + 4)
        e.version, e.opcode, e.group = band(u16(at), 0xFF), u8(at + 6), u8(at + 7)
        e.tid, e.pid, e.time, e.at = u32(at + 8), u32(at + 12), u64(at + 16), at + 0x20
        e.pointer = kind == 0x01 and 4 or 8
    elseif kind == 0x10 or kind == 0x11 then -- PERFINFO
        size = u16(at + 4)
        e.version, e.opcode, e.group = band(u16(at), 0xFF), u8(at + 6), u8(at + 7)
        e.tid, e.pid, e.time, e.at = 4294967295, 4294967295, u64(at + 8), at + 0x10
        e.pointer = kind == 0x10 and 4 or 8
    elseif kind == 0x0A or kind == 0x14 then -- FULL_HEADER
        size = u16(at)
        e.opcode, e.version = u8(at + 4), u16(at + 6)
        e.tid, e.pid, e.time, e.at = u32(at + 8), u32(at + 12), u64(at + 16), at + 0x30
        e.class = text:sub(at + 0x18 + 1, at + 0x28)
        e.pointer = kind == 0x0A and 4 or 8
    elseif kind == 0x12 or kind == 0x13 then -- EVENT_HEADER
        size = u16(at)
        e.tid, e.pid, e.time, e.at = u32(at + 8), u32(at + 12), u64(at + 16), at + 0x50
        e.version, e.opcode = u8(at + 0x2A), u8(at + 0x2D)
        e.self = true
        e.pointer = kind == 0x12 and 4 or 8
        if band(u16(at + 4), 1) ~= 0 then
            repeat
                local more = band(u16(e.at + 4), 1) ~= 0
                e.at = e.at + u16(e.at)
            until not more
        end
    else
        error("an event of an unknown kind at " .. at)
    end
    assert(size >= e.at - at and at + size <= limit, "an event leaves its buffer at " .. at)
    e.bytes = size - (e.at - at)
    if e.group == 0 and e.opcode == 0 then
        first_header = first_header or e
    else
        add(e)
    end
    return at + math.floor((size + 7) / 8) * 8
end

do
    local at = 0
    while at < #text do
        local size, filled = u32(at), u32(at + 0x30)
        local limit, next = at + filled, at + 0x48
        local cpu = band(u16(at + 0x28), 0x7FF)
        while next < limit do next = read_event(next, limit, cpu) end
        at = at + size
    end
end
table.sort(events, function(a, b)
    if a.time ~= b.time then return a.time < b.time end
    return a.order < b.order
end)

local log = first_header.at
local pointer = u32(log + 44)
local cpus = u32(log + 12)
local begin = events[1].time
local final = events[#events].time - begin
for _, e in ipairs(events) do e.ticks = e.time - begin end

-- ---- Reading payloads ---------------------------------------------------------------------------------------------------

local e -- the event that is looked at

local function p(at) -- a pointer at an offset of the payload
    if e.pointer == 4 then return u32(e.at + at) end
    return s64(e.at + at)
end
local P = pointer -- its width
local function instant(at) return u64(e.at + at) - begin end

local function text8(at)
    local n = 0
    while n < e.bytes - at and u8(e.at + at + n) ~= 0 do n = n + 1 end
    return text:sub(e.at + at + 1, e.at + at + n)
end

local function text16(at) -- UTF-16 to UTF-8, for what names here have
    local out = {}
    for i = e.at + at, e.at + e.bytes - 2, 2 do
        local c = u16(i)
        if c == 0 then break end
        out[#out + 1] = c < 0x80 and string.char(c) or string.char(bor(0xC0, rshift(c, 6)), bor(0x80, band(c, 0x3F)))
    end
    return table.concat(out)
end

local function json(s)
    return '"' .. s:gsub('[\\"]', "\\%0") .. '"'
end

local lines = {}
local function line(what, format, ...)
    lines[#lines + 1] = string.format('{"what":"%s",' .. format .. "}", what, ...)
end

-- ---- Processes, threads, images -------------------------------------------------------------------------------------------

local process, thread, images = {}, {}, {} -- those that live; images: of all times, by process
local ready_events = false

local function sid_bytes(at)
    local o = e.at + at
    if u32(o) == 0 and not (u8(o + 2 * P) == 1 and u8(o + 2 * P + 1) > 0 and u8(o + 2 * P + 1) < 16 and u32(o + 2 * P + 2) == 0) then
        return 4
    end
    return 2 * P + 8 + 4 * u8(o + 2 * P + 1)
end

local function read_process()
    local r = {}
    if e.version == 0 then
        r.pid, r.parent = p(0), p(P)
        r.name = text8(2 * P + sid_bytes(2 * P))
        return r
    end
    r.pid, r.parent, r.exit = u32(e.at + P), u32(e.at + P + 4), s32(e.at + P + 12)
    local at = P + 16
    if e.version >= 3 then at = at + P end
    if e.version >= 4 then at = at + 4 end
    r.name = text8(at + sid_bytes(at))
    return r
end

local zero_process = { "threads", "images", "samples", "udp_sends", "udp_sent", "udp_receives", "udp_received", "faults",
                       "fault_bytes", "fault_ticks", "requests", "request_ticks", "failed_requests" }

local function begin_process(r, ticks)
    r.begin = ticks
    for _, name in ipairs(zero_process) do r[name] = 0 end
    assert(not process[r.pid], "process " .. r.pid .. " is there already")
    process[r.pid] = r
end

local function end_process(r, finish, exit)
    local fields = {}
    for _, name in ipairs(zero_process) do fields[#fields + 1] = string.format('"%s":%d', name, r[name]) end
    line("process", '"pid":%d,"parent":%d,"name":%s,"begin":%d,"end":%d,"exit":%s,%s', r.pid, r.parent, json(r.name), r.begin,
        finish, exit and string.format("%d", exit) or "null", table.concat(fields, ","))
    process[r.pid] = nil
end

local function set_state(t, state, now)
    t[t.state] = t[t.state] + (now - t.since)
    t.state, t.since = state, now
end

local function begin_thread(pid, tid, ticks)
    assert(not thread[tid], "thread " .. tid .. " is there already")
    thread[tid] = { pid = pid, tid = tid, begin = ticks, since = ticks, state = "unknown", unknown = 0, running = 0, ready = 0,
                    waiting = 0, switches = 0, readied = 0, latency = 0, latency_max = 0, samples = 0 }
    process[pid].threads = process[pid].threads + 1
end

local function end_thread(t, finish)
    set_state(t, t.state, finish)
    line("thread", '"pid":%d,"tid":%d,"begin":%d,"end":%d,"running":%d,"ready":%d,"waiting":%d,"unknown":%d,"switches":%d,' ..
        '"readied":%d,"latency":%d,"latency_max":%d,"samples":%d', t.pid, t.tid, t.begin, finish, t.running, t.ready, t.waiting,
        t.unknown, t.switches, t.readied, t.latency, t.latency_max, t.samples)
    assert(t.running + t.ready + t.waiting + t.unknown == finish - t.begin, "the states of a thread do not fill its life")
    thread[t.tid] = nil
end

local function thread_ids()
    local a, b = u32(e.at), u32(e.at + 4)
    if e.version == 0 then return b, a end
    return a, b
end

local function read_image()
    if e.version == 0 then return e.pid, p(0), u32(e.at + P), text16(P + 4) end
    local at = e.version == 1 and 2 * P + 4 or 3 * P + 32
    return u32(e.at + 2 * P), p(0), p(P), text16(at)
end

local function begin_image(ticks)
    local pid, base, size, name = read_image()
    images[pid] = images[pid] or {}
    table.insert(images[pid], { base = base, size = size, name = name:match "[^\\]*$", begin = ticks, finish = math.huge })
    process[pid].images = process[pid].images + 1
end

local function end_image(ticks)
    local pid, base = read_image()
    for _, i in ipairs(images[pid]) do
        if i.base == base and i.finish == math.huge then
            i.finish = ticks
            return
        end
    end
    error "an image is unloaded that was not there"
end

local function find_image(pid, address, ticks)
    for _, of in ipairs { pid, 0 } do
        for _, i in ipairs(images[of] or {}) do
            if address >= i.base and address < i.base + i.size and ticks >= i.begin and ticks <= i.finish then return i end
        end
    end
    error(string.format("no image at %x", address))
end

-- ---- Processors -----------------------------------------------------------------------------------------------------------

local cpu = {}
for i = 0, cpus - 1 do
    cpu[i] = { since = 0, tid = nil, running = 0, idle = 0, switches = 0, samples = 0, busy = 0, isrs = 0, isr_ticks = 0, dpcs = 0,
               dpc_ticks = 0 }
end
local routine, stacked, collected = {}, {}, {} -- stacked: event by its time

local function on_switch()
    local new, old, state = u32(e.at), u32(e.at + 4), u8(e.at + 14)
    local c, now = cpu[e.cpu], e.ticks
    local field = old == 0 and "idle" or "running"
    assert(c.tid == nil or c.tid == old, "another thread leaves than had come")
    c[field] = c[field] + (now - c.since)
    local t = thread[old]
    if t then
        if c.tid == nil then t.state = "running" end -- since the start of the trace
        set_state(t, state == 5 and "waiting" or "ready", now)
        t.readied_at = nil
    end
    c.tid, c.since, c.switches = new, now, c.switches + 1
    t = thread[new]
    if new ~= 0 then
        assert(t, "a thread runs that is not there")
        if t.readied_at then
            local latency = now - t.readied_at
            t.readied, t.latency, t.readied_at = t.readied + 1, t.latency + latency, nil
            t.latency_max = math.max(t.latency_max, latency)
        end
        set_state(t, "running", now)
        t.switches = t.switches + 1
    end
    assert(not stacked[now], "two events with stacks at one time")
    stacked[now] = { opcode = 36, group = 5, tid = new, stacks = 0 }
end

local function on_ready()
    local t = assert(thread[u32(e.at)], "a thread becomes ready that is not there")
    set_state(t, "ready", e.ticks)
    t.readied_at = e.ticks
    assert(not stacked[e.ticks], "two events with stacks at one time")
    stacked[e.ticks] = { opcode = 50, group = 5 }
end

local function on_sample()
    local tid = u32(e.at + P)
    local c, t = cpu[e.cpu], thread[tid]
    assert(u16(e.at + P + 4) == 1, "the count of a sample is not 1")
    c.samples = c.samples + 1
    if tid ~= 0 then c.busy = c.busy + 1 end
    if t then
        t.samples = t.samples + 1
        process[t.pid].samples = process[t.pid].samples + 1
    end
    assert(c.tid == nil or c.tid == tid, "a sample of a thread that does not run there")
    local flags = band(u8(e.at + P + 6), 3)
    if flags ~= 0 then
        c.interrupting = c.interrupting or {}
        table.insert(c.interrupting, { kind = flags == 1 and "DPC" or "ISR", ticks = e.ticks })
    end
    assert(not stacked[e.ticks], "two events with stacks at one time")
    stacked[e.ticks] = { opcode = 46, group = 15, tid = tid, address = p(0) }
end

local function on_interrupt(kind)
    local initial, address = instant(0), p(8)
    local c, spent = cpu[e.cpu], e.ticks - instant(0)
    local i = find_image(0, address, e.ticks)
    local name = string.format('"kind":"%s","image":"%s","rva":"0x%x"', kind, i.name, address - i.base)
    local r = routine[name] or { count = 0, ticks = 0, longest = 0 }
    assert(spent >= 0 and initial >= (c.interrupted or 0), "interrupts overlap")
    assert(c.since <= initial, "a switch inside of an interrupt")
    c.interrupted = e.ticks
    for _, s in ipairs(c.interrupting or {}) do
        assert(s.kind == kind and s.ticks >= initial, "a sample says that it is in another routine than runs")
    end
    c.interrupting = nil
    routine[name] = r
    r.count, r.ticks, r.longest = r.count + 1, r.ticks + spent, math.max(r.longest, spent)
    local field = kind:lower()
    c[field .. "s"], c[field .. "_ticks"] = c[field .. "s"] + 1, c[field .. "_ticks"] + spent
end

-- ---- Files and disks --------------------------------------------------------------------------------------------------------

local key, by_name, request, transfer = {}, {}, {}, {}
local opens_failed = 0
local file_fields = { "opens", "closes", "reads", "read_bytes", "read_ticks", "writes", "write_bytes", "write_ticks", "others",
                      "other_ticks", "disk_reads", "disk_read_bytes", "disk_read_ticks", "disk_writes", "disk_write_bytes",
                      "disk_write_ticks", "faults", "fault_bytes" }

local function new_sums()
    local s = {}
    for _, name in ipairs(file_fields) do s[name] = 0 end
    return s
end

local function sums_of(k)
    key[k] = key[k] or new_sums()
    return key[k]
end

local function address_text(k)
    return pointer == 4 and string.format("0x%x", k) or "0x" .. bit.tohex(ffi.cast("int64_t", k)):gsub("^0+", "")
end

local finished = {}
local function name_file(k, name, deleted)
    local s = sums_of(k)
    s.name, s.key, s.deleted = name, k, deleted
    finished[#finished + 1] = s
    key[k] = nil
end

local function on_name(op)
    local k, name = p(0), text16(P)
    if op == 36 then
        name_file(k, name, false)
    elseif op == 35 then
        name_file(k, name, true)
    elseif op == 32 then
        assert(not key[k], "a key is used before its file is there")
        sums_of(k)
    else -- 0: its name from now on
        if key[k] and key[k].called and key[k].called ~= name then name_file(k, key[k].called, true) end
        sums_of(k).called = name
    end
end

local function on_request()
    local r = { op = e.opcode, ticks = e.ticks }
    local at = e.opcode >= 67 and e.opcode <= 68 and 8 or 0
    local irp = p(at)
    assert(not request[irp], "an IRP is used twice")
    request[irp] = r
    if e.opcode == 64 then
        r.name = text16(e.version >= 3 and 2 * P + 16 or 3 * P + 12)
        return
    end
    r.key = p(at + (e.version >= 3 and 2 or 3) * P)
    if at == 8 then r.bytes = u32(e.at + 8 + (e.version >= 3 and 3 * P + 4 or 4 * P)) end
end

local function on_request_end()
    local irp = p(0)
    local r = assert(request[irp], "a request ends that was not begun")
    local spent, status = e.ticks - r.ticks, u32(e.at + 2 * P)
    request[irp] = nil
    if status ~= 0 then
        opens_failed = opens_failed + 1
        return
    end
    local s
    if r.name then
        by_name[r.name] = by_name[r.name] or { opens = 0, ticks = 0 }
        s = by_name[r.name]
        s.opens, s.ticks = s.opens + 1, s.ticks + spent
        return
    end
    s = sums_of(r.key)
    local field = r.op == 67 and "read" or r.op == 68 and "write" or "other"
    s[field .. "s"], s[field .. "_ticks"] = s[field .. "s"] + 1, s[field .. "_ticks"] + spent
    if r.bytes then
        s[field .. "_bytes"] = s[field .. "_bytes"] + r.bytes
        assert(p(P) == r.bytes, "a request ends with other bytes than were asked for")
    end
    if r.op == 66 then s.closes = s.closes + 1 end
end

local function on_disk(field)
    local s = sums_of(p(24))
    local response = e.version == 0 and 0 or u64(e.at + 24 + (e.version >= 2 and 2 or 1) * P)
    s[field .. "s"] = s[field .. "s"] + 1
    s[field .. "_bytes"] = s[field .. "_bytes"] + u32(e.at + 8)
    s[field .. "_ticks"] = s[field .. "_ticks"] + response
    if e.version >= 2 then
        local irp = p(24 + P)
        assert(transfer[irp] and e.ticks - transfer[irp] == response, "a transfer took another time than it says")
        transfer[irp] = nil
    end
end

local function on_fault()
    local s, t = sums_of(p(16 + P)), thread[u32(e.at + 16 + 2 * P)]
    local n = u32(e.at + 20 + 2 * P)
    local o = process[t.pid]
    s.faults, s.fault_bytes = s.faults + 1, s.fault_bytes + n
    o.faults, o.fault_bytes, o.fault_ticks = o.faults + 1, o.fault_bytes + n, o.fault_ticks + (e.ticks - instant(0))
end

-- ---- Network ------------------------------------------------------------------------------------------------------------------

local connection = {}

local function address(at, v6)
    if not v6 then return string.format("%d.%d.%d.%d", u8(e.at + at), u8(e.at + at + 1), u8(e.at + at + 2), u8(e.at + at + 3)) end
    local groups = {}
    for i = 0, 14, 2 do groups[#groups + 1] = string.format("%x", u8(e.at + at + i) * 256 + u8(e.at + at + i + 1)) end
    return "[" .. table.concat(groups, ":") .. "]"
end

local function end_connection(c, finish, closed)
    line("connection", '"pid":%d,"local":"%s","remote":"%s","by":"%s","begin":%d,"end":%d,"closed":%s,"sends":%d,"sent":%d,' ..
        '"receives":%d,"received":%d,"retransmits":%d,"retransmitted":%d', c.pid, c.here, c.there, c.by, c.begin, finish,
        tostring(closed), c.sends, c.sent, c.receives, c.received, c.retransmits, c.retransmitted)
end

local function on_tcp()
    local op, v6 = e.opcode, e.opcode >= 26
    if v6 then op = op - 16 end
    local n, at = v6 and 16 or 4, e.version == 0 and 0 or 8
    local pid = u32(e.at + (e.version == 0 and 16 or 0))
    local size = u32(e.at + (e.version == 0 and 12 or 4))
    local port = e.at + at + 2 * n
    local there = address(at, v6) .. ":" .. u8(port) * 256 + u8(port + 1)
    local here = address(at + n, v6) .. ":" .. u8(port + 2) * 256 + u8(port + 3)
    local id = pid .. here .. there
    local c = connection[id]
    if op == 12 or op == 15 then
        assert(not c, "a connection is opened twice")
        connection[id] = { pid = pid, here = here, there = there, by = op == 12 and "connect" or "accept", begin = e.ticks, sends = 0,
                           sent = 0, receives = 0, received = 0, retransmits = 0, retransmitted = 0 }
        return
    end
    assert(c, "a packet of no connection")
    if op == 10 then
        c.sends, c.sent = c.sends + 1, c.sent + size
    elseif op == 11 then
        c.receives, c.received = c.receives + 1, c.received + size
    elseif op == 14 then
        c.retransmits, c.retransmitted = c.retransmits + 1, c.retransmitted + size
    else
        assert(op == 13)
        end_connection(c, e.ticks, true)
        connection[id] = nil
    end
end

local function on_udp()
    if e.version == 0 then return end -- it does not say whose
    local o, size = process[u32(e.at)], u32(e.at + 4)
    local sends = e.opcode == 10 or e.opcode == 26
    local count, sum = sends and "udp_sends" or "udp_receives", sends and "udp_sent" or "udp_received"
    o[count], o[sum] = o[count] + 1, o[sum] + size
    -- the local end is where it comes from, or goes to
    local v6 = e.opcode >= 26
    local own = address(8 + (sends and (v6 and 16 or 4) or 0), v6)
    assert(own == "10.0.0.5" or own == "[2001:db8:0:0:0:0:0:5]", "a datagram of somebody else")
end

-- ---- Programs -----------------------------------------------------------------------------------------------------------------

local function on_request_told()
    if e.opcode ~= 2 then return end
    local o, status = process[e.pid], u16(e.at + 4)
    local ticks, items = u64(e.at + 6), u16(e.at + 14)
    assert(u32(e.at + 16 + 4 * items) + u32(e.at + 20 + 4 * items) == ticks, "the parts of a request")
    o.requests, o.request_ticks = o.requests + 1, o.request_ticks + ticks
    if status == 500 then o.failed_requests = o.failed_requests + 1 end
end

-- ---- Stacks: gathered, and put together at the end ------------------------------------------------------------------------------

local halves, definitions = {}, {}

local function frames(from)
    local list = {}
    for at = from, e.bytes - P, P do list[#list + 1] = p(at) end
    return list
end

local function on_stack()
    local half = { of = instant(0), pid = u32(e.at + 8), tid = u32(e.at + 12), time = e.ticks }
    if e.opcode == 32 then
        half.frames = frames(16)
    else
        half.key, half.user = p(16), e.opcode == 38
    end
    halves[#halves + 1] = half
end

local function on_definition()
    local k = p(0)
    definitions[k] = definitions[k] or {}
    table.insert(definitions[k], { time = e.ticks, frames = frames(P) })
end

local function resolve(half)
    if half.frames then return half.frames end
    for _, d in ipairs(definitions[half.key]) do
        if d.time >= half.time then return d.frames end
    end
    error "a stack's key is never defined"
end

local stack_counts = {}
local weights, exclusive = {}, {}

local function weigh(s, list, pid, ticks)
    for n, frame in ipairs(list) do
        local i = find_image(pid, frame, ticks)
        local name = string.format('"image":"%s","rva":"0x%x"', i.name, math.floor((frame - i.base) / 256) * 256)
        if frame == s.address and n == 1 and not s.innermost then
            s.innermost = true
            exclusive[name] = (exclusive[name] or 0) + 1
        end
        if not s.seen[name] then
            s.seen[name] = true
            weights[name] = (weights[name] or 0) + 1
        end
    end
end

local function put_stacks_together()
    for _, half in ipairs(halves) do
        local s = assert(stacked[half.of], "a stack of no event")
        local id = s.group .. "/" .. s.opcode
        local c = stack_counts[id] or { group = s.group, opcode = s.opcode, stacks = 0, frames = 0 }
        local list = resolve(half)
        stack_counts[id] = c
        assert(s.tid == nil or s.tid == half.tid, "a stack of another thread")
        if not s.seen then
            s.seen = {}
            c.stacks = c.stacks + 1
        end
        c.frames = c.frames + #list
        if s.opcode == 46 then weigh(s, list, half.pid, half.of) end
        if half.user ~= nil then -- a half by key has frames of its side only
            for _, frame in ipairs(list) do
                assert((pointer == 8 and frame < 0 or pointer == 4 and frame >= 0x80000000) == not half.user, "a half of the wrong side")
            end
        end
    end
    for _, s in pairs(stacked) do assert(s.opcode ~= 46 or not s.seen or s.innermost, "a sample's address is not on its stack") end
end

-- ---- All events -----------------------------------------------------------------------------------------------------------------

local counts, payload = {}, 0
local image_id = "\xD7\x75\xE6\xB3\x54\x25\x18\x4F\x83\x0B\x27\x62\x73\x25\x60\xDE"

local function count()
    local id
    if e.self then
        id = string.format('"class":"TraceLogging","opcode":%d,"version":%d', e.opcode, e.version)
    elseif e.class then
        id = string.format('"class":"%s","opcode":%d,"version":%d', e.class == image_id and "ImageID" or "SystemConfigEx", e.opcode,
            e.version)
    else
        id = string.format('"group":%d,"opcode":%d,"version":%d', e.group, e.opcode, e.version)
    end
    counts[id] = (counts[id] or 0) + 1
    payload = payload + e.bytes
end

-- Whoever does something runs where that is told, as far as the trace says what runs there. Rundowns are told at any time.
local done_by = { [0x10C] = 1, [0x10D] = 1, [0x10F] = 1, [0x301] = 1, [0x302] = 1, [0x30B] = 1, [0x30A] = 1, [0x501] = 1, [0x502] = 1, [0x1402] = 1 }

for _, event in ipairs(events) do
    e = event
    count()
    local id = e.group and e.group * 256 + e.opcode
    if (e.self or done_by[id]) and e.tid ~= 0 and cpu[e.cpu].tid then
        assert(cpu[e.cpu].tid == e.tid, "thread " .. e.tid .. " does something, but does not run")
    end
    if e.self then
        on_request_told()
    elseif e.class then -- of the machine where it was merged
    elseif id == 0x301 or id == 0x303 then
        begin_process(read_process(), id == 0x301 and e.ticks or 0)
    elseif id == 0x302 then
        local r = read_process()
        end_process(assert(process[r.pid]), e.ticks, r.exit)
    elseif id == 0x304 then
        assert(process[read_process().pid], "a process is left that was not there")
    elseif id == 0x501 or id == 0x503 then
        local pid, tid = thread_ids()
        begin_thread(pid, tid, id == 0x501 and e.ticks or 0)
    elseif id == 0x502 then
        local _, tid = thread_ids()
        end_thread(assert(thread[tid]), e.ticks)
    elseif id == 0x504 then
        local _, tid = thread_ids()
        assert(thread[tid], "a thread is left that was not there")
    elseif id == 0x30A then
        begin_image(e.ticks)
    elseif id == 0x1403 then
        begin_image(0)
    elseif id == 0x1402 then
        end_image(e.ticks)
    elseif id == 0x524 then
        on_switch()
    elseif id == 0x532 then
        ready_events = true
        on_ready()
    elseif id == 0xF2E then
        on_sample()
    elseif id == 0xF43 or id == 0xF32 then
        on_interrupt "ISR"
    elseif id == 0xF42 or id == 0xF44 or id == 0xF45 then
        on_interrupt "DPC"
    elseif id == 0x400 or id == 0x420 or id == 0x423 or id == 0x424 then
        on_name(e.opcode)
    elseif id >= 0x440 and id <= 0x44B then
        on_request()
    elseif id == 0x44C then
        on_request_end()
    elseif id == 0x10C or id == 0x10D or id == 0x10F then
        assert(not transfer[p(0)], "an IRP is used twice")
        transfer[p(0)] = e.ticks
    elseif id == 0x10A then
        on_disk "disk_read"
    elseif id == 0x10B then
        on_disk "disk_write"
    elseif id == 0x10E then
        assert(e.ticks - transfer[p(16)] == u64(e.at + 8))
        transfer[p(16)] = nil
    elseif id == 0x220 then
        on_fault()
    elseif e.group == 6 then
        on_tcp()
    elseif e.group == 8 then
        on_udp()
    elseif id == 0x1820 or id == 0x1825 or id == 0x1826 then
        on_stack()
    elseif id == 0x1823 or id == 0x1824 then
        on_definition()
    end
end

-- ---- What is left at the end ----------------------------------------------------------------------------------------------------

for _, t in pairs(thread) do end_thread(t, final) end
for _, r in pairs(process) do end_process(r, final) end
for i = 0, cpus - 1 do
    local c = cpu[i]
    local unknown = 0
    if c.tid then
        local field = c.tid == 0 and "idle" or "running"
        c[field] = c[field] + (final - c.since)
    else
        unknown = final
    end
    line("cpu", '"cpu":%d,"running":%d,"idle":%d,"unknown":%d,"switches":%d,"samples":%d,"busy_samples":%d,"isrs":%d,"isr_ticks":%d,' ..
        '"dpcs":%d,"dpc_ticks":%d', i, c.running, c.idle, unknown, c.switches, c.samples, c.busy, c.isrs, c.isr_ticks, c.dpcs,
        c.dpc_ticks)
    assert(c.running + c.idle + unknown == final, "the intervals of a processor do not fill the trace")
end
for name, r in pairs(routine) do line("routine", '%s,"count":%d,"ticks":%d,"longest":%d', name, r.count, r.ticks, r.longest) end
for k, s in pairs(key) do
    if s.called then name_file(k, s.called, false) end
end
for _, s in ipairs(finished) do
    local opened = by_name[s.name]
    local fields, any = {}, s.deleted
    if opened then
        s.opens, s.others, s.other_ticks = s.opens + opened.opens, s.others + opened.opens, s.other_ticks + opened.ticks
    end
    for _, name in ipairs(file_fields) do
        fields[#fields + 1] = string.format('"%s":%d', name, s[name])
        any = any or s[name] ~= 0
    end
    if any then
        line("file", '"name":%s,"key":"%s","deleted":%s,%s', json(s.name), address_text(s.key), tostring(s.deleted), table.concat(fields, ","))
    end
end
line("opens_failed", '"count":%d', opens_failed)
for _, c in pairs(connection) do end_connection(c, final, false) end
put_stacks_together()
for _, c in pairs(stack_counts) do line("stacks", '"group":%d,"opcode":%d,"stacks":%d,"frames":%d', c.group, c.opcode, c.stacks, c.frames) end
for name, n in pairs(weights) do line("function", '%s,"inclusive":%d,"exclusive":%d', name, n, exclusive[name] or 0) end
for id, n in pairs(counts) do line("events", '%s,"count":%d', id, n) end
line("lost", '"events":%d', u32(log + 48))
line("end", '"events":%d,"payload_bytes":%d,"ticks":%d', #events, payload, final)

-- ---- Comparing --------------------------------------------------------------------------------------------------------------------

local want = {}
for l in io.lines(truth_name) do
    if l:find('"what":"trace"', 1, true) then
        assert(l:find('"pointer":' .. pointer .. ",", 1, true) and l:find('"cpus":' .. cpus .. ",", 1, true), l)
        assert(not (ready_events and l:find('"ready_events":false', 1, true)), "events that the build does not have")
    else
        want[l] = (want[l] or 0) + 1
    end
end
local wrong, kinds = 0, {}
local function differ(sign, l)
    wrong = wrong + 1
    if wrong <= 20 then io.stderr:write(sign, " ", l, "\n") end
end
for _, l in ipairs(lines) do
    local what = l:match '"what":"([%w_]+)"'
    kinds[what] = (kinds[what] or 0) + 1
    if (want[l] or 0) > 0 then
        want[l] = want[l] - 1
    else
        differ("trace:", l)
    end
end
for l, n in pairs(want) do
    for _ = 1, n do differ("truth:", l) end
end
local list = {}
for what, n in pairs(kinds) do list[#list + 1] = n .. " " .. what end
table.sort(list)
print(string.format("%d events, %d lines, %d differ: %s", #events, #lines, wrong, table.concat(list, ", ")))
os.exit(wrong == 0 and 0 or 1)
