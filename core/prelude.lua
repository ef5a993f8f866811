-- prelude.lua: the language of pipeline files, on top of Lua.
--
-- Evaluating a file builds a description and reads nothing. One idea: what a file gets hold of (stages, arguments,
-- pipelines, libraries) are empty tables whose contents only this text can reach, so nothing a file does later can
-- change what was checked.
--
-- The host calls this chunk with its functions and with whether the file is trusted; it gets back a table of the
-- functions at the end. In a file that is not trusted only the words listed in sandbox.lua exist.
local host, trusted = ...

local error, ipairs, load, next, xpcall = error, ipairs, load, next, xpcall
local rawset, select, setfenv, setmetatable = rawset, select, setfenv, setmetatable
local tostring, type = tostring, type
local getinfo, floor, huge = debug.getinfo, math.floor, math.huge
local concat, sort, maxn = table.concat, table.sort, table.maxn
local find, format, match, sub, gsub = string.find, string.format, string.match, string.sub, string.gsub

local inside = setmetatable({}, { __mode = "k" }) -- contents of the empty tables, by table

---- Errors -----------------------------------------------------------------------------------------------------

-- The files that are being evaluated, the innermost last; the first one stays. `begin` is the place of the file's
-- `pipeline "NAME"`, since `return pipeline "NAME" { … }` leaves no function of the file behind.
local files = {} -- { path =, begin = }
local called -- what messages call the pipeline, if it was found by name: then a user has no use for its lines
local paths = {} -- of all files, by the source that Lua knows them by
local shorts = {} -- likewise, by what Lua writes in messages
local run_chunk -- calls the chunk of the innermost file

-- The line of the file that is being evaluated: that of its innermost function on the stack. Where the file has
-- only left a tail call behind, the line of `near`, a function from it, if there is one.
local function here(near)
    local file = files[#files]
    local level = 2
    local info = getinfo(level, "Slf")
    while info do
        if paths[info.source] then return paths[info.source] .. ":" .. info.currentline end
        if info.func == run_chunk then break end
        level = level + 1
        info = getinfo(level, "Slf")
    end
    local of = near and getinfo(near, "S")
    if of and paths[of.source] then return paths[of.source] .. ":" .. of.linedefined end
    return file.begin or file.path
end

local function wrong_at(place, message, ...)
    error(place .. ": " .. format(message, ...), 0)
end

-- The place of a stage or an argument, for what is said of it later.
local function spot(near)
    return called or here(near)
end

local described = false -- the file is read, and what is wrong from now on may be so by a user's words

local function wrong(...)
    wrong_at(described and spot() or here(), ...)
end

local function suggestion(word, list)
    local nearest = type(word) == "string" and host.nearest(word, list)
    return nearest and format("; did you mean '%s'?", nearest) or ""
end

local function contains(list, word)
    for _, one in ipairs(list) do
        if one == word then return true end
    end
    return false
end

-- Of a list that may have holes. Its last index may be anything, so it is bounded.
local function length(list)
    local n = maxn(list)
    if n > 65536 then wrong("a list has at most 65536 items, not one at %.17g", n) end
    return n
end

local function keys_of(t)
    local list = {}
    for key in next, t do
        if type(key) == "string" then list[#list + 1] = key end
    end
    sort(list)
    return list
end

-- "a table" and the like, for sentences.
local function kind_of(value)
    local kind = type(value)
    local what = inside[value] and inside[value].what
    if what then return what end
    return kind == "nil" and "nothing" or (kind == "boolean" and "true or false") or "a " .. kind
end

-- A table that shows its contents and cannot be changed. `missing` is called with the name of what is not there.
local function sealed(name, contents, missing, call)
    setmetatable(contents, { __index = missing })
    return setmetatable({}, {
        __index = contents,
        __call = call,
        __newindex = function(_, key) wrong("'%s' cannot be changed, here by '%s'", name, tostring(key)) end,
        __metatable = false,
    })
end

-- A number as text that reads back as the same number; whole ones without an exponent.
local function number_text(value)
    if value ~= value or value == huge or value == -huge then
        wrong("%s is not a number that can be written down", tostring(value))
    end
    if value == floor(value) and value >= -2 ^ 53 and value <= 2 ^ 53 then return format("%.0f", value) end
    return format("%.17g", value)
end

local function plain_text(value)
    if find(value, "\0", 1, true) then wrong("a text here may not hold a zero byte") end
    return value
end

local kit = {
    host = host, trusted = trusted, inside = inside, here = here, wrong = wrong, wrong_at = wrong_at,
    suggestion = suggestion, contains = contains, length = length, keys_of = keys_of, kind_of = kind_of,
    sealed = sealed, number_text = number_text, plain_text = plain_text,
}

-- The other texts of this language are chunks like this one; each is called with the tools.
local function part(name)
    return load(host.parts[name], "=" .. name .. ".lua")(kit)
end

local arguments = part("arguments")

---- args.NAME --------------------------------------------------------------------------------------------------

local values -- of the arguments, by name, once they are known: { name = { text =, value = } }

local placeholder_metatable = { __metatable = false }

local function placeholder(parts, place)
    local handle = setmetatable({}, placeholder_metatable)
    inside[handle] = { what = "an argument", parts = parts, place = place }
    return handle
end

-- args.a .. "text" .. args.b
function placeholder_metatable.__concat(a, b)
    local parts = {}
    for _, side in ipairs { a, b } do
        local known = inside[side]
        if known and known.parts then
            for _, part in ipairs(known.parts) do parts[#parts + 1] = part end
        elseif type(side) == "string" or type(side) == "number" then
            parts[#parts + 1] = { text = type(side) == "number" and number_text(side) or plain_text(side) }
        else
            wrong("an argument cannot be joined with %s", kind_of(side))
        end
    end
    return placeholder(parts, spot())
end

for _, event in ipairs { "add", "sub", "mul", "div", "mod", "pow", "unm", "lt", "le", "call", "index", "newindex",
    "tostring" } do
    placeholder_metatable["__" .. event] = function()
        wrong("the value of an argument is not known while the file is read; "
            .. "use chain = function(args) return { … } end")
    end
end

local function check_name(place, name, declared)
    local names = {}
    for i, argument in ipairs(declared) do names[i] = argument.name end
    if contains(names, name) then return end
    local hint = suggestion(name, names)
    if hint == "" and #names > 0 then hint = "; there are " .. concat(names, ", ") end
    wrong_at(place, "no argument '%s'%s", name, hint)
end

-- What `args` is: placeholders while the file is read; the values for a chain function and for keep.
local args = setmetatable({}, {
    __index = function(_, name)
        if type(name) ~= "string" then wrong("arguments have names: args.trace") end
        if not values then return placeholder({ { name = name } }, spot()) end
        if not values[name] then check_name(here(), name, values[1]) end
        return values[name].value
    end,
    __newindex = function() wrong("arguments are given on the command line and cannot be changed") end,
    __metatable = false,
})

---- Stages -----------------------------------------------------------------------------------------------------

-- Calls `name` for each args.NAME in the text of an expression, outside its quotes, and puts what it gives in place.
local function substitute(text, replace)
    local out, at = {}, 1
    while at <= #text do
        local c = sub(text, at, at)
        local to = at
        if c == '"' or c == "'" or c == "`" then
            to = find(text, c, at + 1, true) or #text -- a doubled quote reads as two texts side by side
        elseif find(c, "[%w_]") then
            to = select(2, find(text, "^[%w_.:]+", at))
        end
        local word = sub(text, at, to)
        local name = match(word, "^args%.([%a_][%w_]*)$")
        out[#out + 1] = name and replace(name) or word
        at = to + 1
    end
    return concat(out)
end

-- How an expression writes a value. Numbers, flags and spans stand for themselves; all else is text in quotes.
local function literal(kind, word)
    if kind == "number" or kind == "flag" or kind == "span" or (kind == "time" and host.relative(word)) then
        return word
    end
    return '"' .. gsub(word, '"', '""') .. '"'
end

-- One value of a setting as an item: { text = } or { parts = }.
local function item_of(stage, name, value, duration)
    local known = inside[value]
    if known and known.parts then return { parts = known.parts, place = known.place } end
    if type(value) == "string" then return { text = plain_text(value) } end
    if type(value) == "boolean" then return { text = tostring(value) } end
    if type(value) == "number" then return { text = number_text(value) .. (duration and "ns" or "") } end
    local of = name and format("'%s' of '%s'", name, stage) or format("a setting of '%s'", stage)
    local first = not name and type(value) == "table" and not known and type(value[1]) == "string" and value[1]
    if first then
        local _, option = host.option(stage)
        wrong('%s cannot be a table; write %s { "%s" }, or %s { %s = { "%s" } }', of, stage, first, stage, option, first)
    end
    wrong("%s cannot be %s", of, kind_of(value))
end

local function put_setting(stage, settings, name, value, duration)
    local setting = { name = name, list = false, items = {} }
    if type(value) == "table" and not inside[value] then
        setting.list = true
        local key = name and keys_of(value)[1]
        if key then wrong("'%s' of '%s' is a list; it has no '%s'", name, stage, key) end
        for i = 1, length(value) do setting.items[i] = item_of(stage, name, value[i], duration) end
    else
        setting.items[1] = item_of(stage, name, value, duration)
    end
    settings[#settings + 1] = setting
end

local function add_setting(stage, settings, name, value)
    local duration, why = host.option(stage, name)
    if duration == nil then wrong("%s: %s", stage, why) end
    put_setting(stage, settings, name, value, duration)
end

local stage_metatable = { __metatable = false }

local function new_handle(contents)
    local handle = setmetatable({}, stage_metatable)
    inside[handle] = contents
    return handle
end

local function new_stage(contents)
    contents.what, contents.place = format("the stage '%s'", contents.stage), spot(contents.call)
    return new_handle(contents)
end

local function make_stage(name, given)
    local settings = {}
    if type(given) ~= "table" or inside[given] then
        if given == nil then wrong("'%s' wants its settings: %s {}", name, name) end
        add_setting(name, settings, nil, given)
    else
        if length(given) > 0 then add_setting(name, settings, nil, given) end
        for _, key in ipairs(keys_of(given)) do add_setting(name, settings, key, given[key]) end
    end
    return new_stage { stage = name, settings = settings }
end

local function stage_word(name)
    return function(given, ...)
        if select("#", ...) > 0 then wrong("'%s' takes one table, or one text or number", name) end
        return make_stage(name, given)
    end
end

-- The table that a plugin's name is: etl.read, resolved on first use.
local function plugin_word(plugin)
    return setmetatable({}, {
        __index = function(self, key)
            local name = plugin .. "." .. tostring(key)
            local ok, why = host.stage(name)
            if not ok then wrong("%s", why) end
            rawset(self, key, stage_word(name))
            return self[key]
        end,
        __newindex = function() wrong("the stages of '%s' cannot be changed", plugin) end,
        __call = function() wrong("'%s' is a plugin; name one of its stages, as in %s.NAME {}", plugin, plugin) end,
        __metatable = false,
    })
end

-- What a word was given, which must be one table with none but the keys it knows; `example` shows how it is written.
local function check_keys(word, example, known, given, ...)
    if type(given) ~= "table" or inside[given] or select("#", ...) > 0 then
        wrong("'%s' takes a table: %s", word, example)
    end
    for key in next, given do
        if not contains(known, key) and not (type(key) == "number" and known.list) then
            wrong("'%s' has no '%s'%s", word, tostring(key), suggestion(key, known))
        end
    end
end

---- merge, tee, thread -----------------------------------------------------------------------------------------

-- A branch is a list of stages, or for a merge a source alone. The list is copied, so that it stays as it is now.
local function branches_of(word, example, given, ...)
    check_keys(word, example, { list = true }, given, ...)
    local branches = {}
    for i = 1, length(given) do
        local branch = given[i]
        if inside[branch] and word == "merge" then branch = { branch } end
        if type(branch) ~= "table" or inside[branch] then
            wrong("branch %d of '%s' is %s, not a list of stages: %s", i, word, kind_of(branch), example)
        end
        local copy = {}
        for k = 1, length(branch) do copy[k] = branch[k] end
        branches[i] = copy
    end
    if #branches == 0 then wrong("'%s' needs branches: %s", word, example) end
    return new_stage { stage = word, settings = {}, branches = branches }
end

local function merge_word(...)
    return branches_of("merge", "merge { etl.read { … }, { etl.read { … }, where '…' } }", ...)
end

local function tee_word(...)
    return branches_of("tee", "tee { { fields { … }, csv.write { … } }, { count { … } } }", ...)
end

local function thread_word(...)
    local given = ...
    check_keys("thread", 'thread {}, thread { size = 8, shed = { "PerfInfo/*" } }', { "size", "shed" }, ...)
    local settings = {}
    for _, key in ipairs(keys_of(given)) do put_setting("thread", settings, key, given[key], false) end
    return new_stage { stage = "thread", settings = settings }
end

---- filter, transform ------------------------------------------------------------------------------------------

local loops = {} -- what these stages find by their key: { on =, need =, call =, drop =, count =, place =, table = }
local most_needs = 32 -- lua_loop.c's bound, too

local function text_items(word, key, value)
    local list = (type(value) ~= "table" or inside[value]) and { value } or value
    local items = {}
    for i = 1, length(list) do
        local known = inside[list[i]]
        if type(list[i]) ~= "string" and not (known and known.parts) then
            wrong("'%s' of '%s' is a text or a list of them, not %s", key, word, kind_of(list[i]))
        end
        items[i] = item_of(word, key, list[i])
    end
    return items
end

-- "pass" and the like.
local function one_of(word, key, value, first, second)
    if value == nil or value == first or value == second then return value == second end
    wrong("'%s' of '%s' is \"%s\" or \"%s\", not %s", key, word, first, second,
        type(value) == "string" and "'" .. value .. "'" or kind_of(value))
end

-- What both have: which events, which values, a function, and what its errors mean.
local function new_loop(word, given, call, call_key, call_help)
    local on = text_items(word, "on", given.on == nil and "*" or given.on)
    local need = text_items(word, "need", given.need or {})
    if #on == 0 then
        wrong("'%s' needs at least one pattern in on, as in on = \"DiskIo/Read\"", word)
    elseif type(call) ~= "function" then
        wrong("'%s' needs %s, %s", word, call_key, call_help)
    elseif #need > most_needs then
        wrong("'%s' needs %d values; %d is the most", word, #need, most_needs)
    end
    return { stage = word, on = on, need = need, call = call, count = one_of(word, "errors", given.errors, "stop",
        "count") }
end

local function filter_word(...)
    local given = ...
    check_keys("filter", 'filter { on = "DiskIo/Read", need = { "pid" }, keep = function(pid) … end }',
        { "on", "need", "keep", "others", "errors" }, ...)
    local loop = new_loop("filter", given, given.keep, "keep",
        "a function of the values in need that gives true for events to keep")
    loop.drop = one_of("filter", "others", given.others, "pass", "drop")
    return new_stage(loop)
end

local table_example = 'table "reads" { {"pid", "u32"}, {"size", "u64", "bytes read"} }'

local function columns_of(name, given)
    check_keys("table", table_example, { list = true }, given)
    local columns, seen = {}, {}
    for i = 1, length(given) do
        local column = given[i]
        if type(column) ~= "table" or type(column[1]) ~= "string" or type(column[2]) ~= "string" then
            wrong('column %d of table "%s" is not of the form {"name", "kind"}, as in %s', i, name, table_example)
        end
        local title, kind, help = plain_text(column[1]), column[2], column[3]
        if title == "" or seen[title] then wrong('table "%s" has two columns \'%s\'', name, title) end
        if not contains(host.column_kinds, kind) then
            local hint = suggestion(kind, host.column_kinds)
            wrong("column '%s' of table \"%s\": no kind '%s'%s", title, name, kind,
                hint ~= "" and hint or "; there are " .. concat(host.column_kinds, ", "))
        elseif help ~= nil and type(help) ~= "string" then
            wrong("the help of column '%s' is a text, not %s", title, kind_of(help))
        end
        seen[title] = true
        columns[i] = { name = title, kind = kind, help = help and plain_text(help) }
    end
    if #columns == 0 then wrong('table "%s" needs columns, as in %s', name, table_example) end
    if #columns > most_needs then wrong('table "%s" has %d columns; %d is the most', name, #columns, most_needs) end
    return columns
end

-- `table` is the library and, called with a name, a table that a transform makes.
local function call_table(_, name)
    if type(name) ~= "string" or not match(name, "^[%w_-]+$") then
        wrong("a table has a name of letters, digits, - and _, as in %s", table_example)
    end
    return function(given)
        return new_handle { what = "a table", table = { name = name, columns = columns_of(name, given) } }
    end
end

local function transform_word(...)
    local given = ...
    check_keys("transform", 'transform { on = "DiskIo/Read", need = { "pid" }, makes = table "reads" { {"pid", "u32"} }'
        .. ", each = function(emit, pid) emit(pid) end }", { "on", "need", "makes", "each", "errors" }, ...)
    local makes = inside[given.makes]
    if not makes or not makes.table then
        wrong("'transform' needs makes, the table its rows are of: makes = %s", table_example)
    end
    local loop = new_loop("transform", given, given.each, "each",
        "a function of emit and the values in need: each = function(emit, pid) emit(pid) end")
    loop.table = makes.table
    return new_stage(loop)
end

---- use --------------------------------------------------------------------------------------------------------

local sandbox -- what sandbox.lua gives; made when all words are known

-- Compiles the text of a file and runs it as the innermost one; gives what it returns.
local function run_file(text, path)
    local source = "@" .. path
    paths[source] = path
    shorts[getinfo(load("", source), "S").short_src] = path
    files[#files + 1] = { path = path }
    local chunk, why = load(text, source, "t")
    if not chunk then error(why, 0) end
    sandbox.check(chunk, path)
    setfenv(chunk, sandbox.environment)
    return run_chunk(chunk)
end

-- A function of its own on the stack, where the search for a line of the file ends.
function run_chunk(chunk)
    local result = chunk()
    return result
end

-- What the host says of an error: with the line of the file, where Lua names a line of this text or shortens a path.
-- What begins with a colon is the host's own and wants the line before it.
local function explain(message)
    if type(message) ~= "string" then return here() .. ": an error was raised with " .. kind_of(message) end
    if sub(message, 1, 2) == ": " then return here() .. message end
    for name, path in next, shorts do
        if sub(message, 1, #name + 1) == name .. ":" then return path .. sub(message, #name + 1) end
    end
    local text, rest = match(message, "^(%l+)%.lua:%d+: (.*)")
    return (text == "prelude" or text and host.parts[text]) and here() .. ": " .. rest or message
end

-- Runs the file that a `use` names. Its errors name both places.
local function used(name, text, path)
    local place, depth = here(), #files
    for _, file in ipairs(files) do
        if file.path == path then wrong("'%s' would use itself: %s is being read already", name, path) end
    end
    local ok, result = xpcall(function() return run_file(text, path) end, explain)
    for i = #files, depth + 1, -1 do files[i] = nil end
    if not ok then error(tostring(result) .. "; used at " .. place, 0) end
    return result
end

-- use "NAME": the stages that the file NAME.lua gives, in place of this word.
local function use_word(name, ...)
    if type(name) ~= "string" or select("#", ...) > 0 or not match(name, "^[%w_-]+$") then
        wrong('\'use\' takes the name of a file, without its .lua: use "big-reads"')
    end
    local text, path = host.used(name)
    if not text then wrong("%s", path) end
    local result = used(name, text, path)
    local contents = inside[result]
    local list = contents and { result } or result
    if contents and not (contents.stage or contents.list) or type(list) ~= "table" or length(list) == 0 then
        wrong("%s gives %s, not a stage or a list of stages", path, kind_of(result))
    end
    local copy = {}
    for i = 1, length(list) do copy[i] = list[i] end
    return new_handle { what = format("what '%s' gives", name), list = copy, path = path }
end

---- Pipelines --------------------------------------------------------------------------------------------------

-- Calls visit(place, name) for each argument that the stage speaks of.
local function each_reference(stage, visit)
    local function items(list)
        for _, item in ipairs(list or {}) do
            for _, part in ipairs(item.parts or {}) do
                if part.name then visit(item.place, part.name) end
            end
            if item.text and stage.stage == "where" then
                substitute(item.text, function(name) visit(stage.place, name) end)
            end
        end
    end
    for _, setting in ipairs(stage.settings or {}) do items(setting.items) end
    items(stage.on)
    items(stage.need)
end
-- The items of a list, what `use` gave spliced in. `false` is left out: args.all or where "…".
local function spliced(list, place, into)
    for i = 1, length(list) do
        local known = inside[list[i]]
        if known and known.list then
            spliced(known.list, known.path, into)
        elseif known and known.stage then
            into[#into + 1] = known
        elseif list[i] then
            local hint = type(list[i]) == "function" and "; it may lack its settings, as in limit { n = 20 }" or ""
            wrong_at(place, "item %d of the chain is %s, not a stage%s", i, kind_of(list[i]), hint)
        end
    end
    return into
end

local function role_of(stage)
    if stage.branches then return stage.stage == "merge" and "source" or "stage" end
    if stage.stage == "thread" then return "stage" end
    local _, role = host.stage(stage.stage)
    return role
end

-- Whether these stages fit together in this order.
local function check_order(chain, is_branch, of_tee)
    for i, stage in ipairs(chain) do
        local role = role_of(stage)
        local begins = i == 1 and not of_tee
        if begins and role ~= "source" and role ~= "server" then
            wrong_at(stage.place, "the chain begins with '%s', which is no source; begin with one, "
                .. "as in etl.read { file = … }", stage.stage)
        elseif of_tee and role == "source" then
            wrong_at(stage.place, "'%s' is a source; a branch of a tee is given the events that come to the tee",
                stage.stage)
        elseif not begins and role == "source" then
            wrong_at(stage.place, "'%s' is a source and must come first", stage.stage)
        elseif role == "server" and (#chain > 1 or is_branch) then
            wrong_at(stage.place, "'%s' stands alone; nothing can come before or after it", stage.stage)
        end
    end
end

-- The stages of a list, checked to fit together; `of`: the merge or tee that it is a branch of.
local function chain_of(list, declared, place, of)
    if type(list) ~= "table" or inside[list] then
        wrong_at(place, "chain must give a list of stages, not %s", kind_of(list))
    end
    local chain = spliced(list, place, {})
    for _, stage in ipairs(chain) do
        each_reference(stage, function(place, name) check_name(place, name, declared) end)
    end
    if #chain == 0 then wrong_at(place, of and "a branch of '%s' has no stages" or "the chain has no stages", of) end
    check_order(chain, of, of == "tee")
    for _, stage in ipairs(chain) do
        if stage.branches then
            stage.chains = {}
            for i, branch in ipairs(stage.branches) do
                stage.chains[i] = chain_of(branch, declared, stage.place, stage.stage)
            end
        end
    end
    return chain
end

local function make_pipeline(name, given)
    if type(given) ~= "table" or inside[given] then wrong('write pipeline "%s" { … }', name) end
    local known = { "help", "example", "args", "chain" }
    for _, key in ipairs(keys_of(given)) do
        if not contains(known, key) then wrong("a pipeline has no '%s'%s", key, suggestion(key, known)) end
    end
    if given.help ~= nil and type(given.help) ~= "string" then
        wrong("the help of a pipeline is a text, not %s", kind_of(given.help))
    end
    if given.example ~= nil and type(given.example) ~= "string" then
        wrong('the example of a pipeline is the text of its arguments, as in example = "boot.etl --top 5", not %s',
            kind_of(given.example))
    end
    local contents = { what = "a pipeline", name = name, help = given.help, example = given.example,
        args = arguments.declare(given.args or {}) }
    if given.chain ~= nil then
        if type(given.chain) ~= "function" then
            wrong("chain is a function, not %s: chain = function(args) return { … } end", kind_of(given.chain))
        elseif length(given) > 0 then
            wrong("a pipeline has either stages or a chain function, not both")
        end
        contents.chain = given.chain
    else
        contents.stages = chain_of(given, contents.args, here())
    end
    return new_handle(contents)
end

local function pipeline_word(name)
    if type(name) ~= "string" or not match(name, "^[%w_-]+$") then
        wrong('a pipeline has a name of letters, digits, - and _: pipeline "disk-latency" { … }')
    end
    files[#files].begin = here()
    return function(given) return make_pipeline(name, given) end
end

---- What a plan is made of -------------------------------------------------------------------------------------

-- The texts of an item, added to out. An argument without a value adds none.
local function item_texts(item, out)
    if item.text then
        out[#out + 1] = item.text
        return
    end
    if #item.parts == 1 then
        local text = values[item.parts[1].name].text
        for _, one in ipairs(type(text) == "table" and text or { text }) do out[#out + 1] = one end
        return
    end
    local joined = {}
    for i, part in ipairs(item.parts) do
        local text = part.text or values[part.name].text
        if text == nil then wrong_at(item.place, "argument '%s' is needed here but has no value", part.name) end
        if type(text) == "table" then wrong_at(item.place, "argument '%s' is a list, so not to be joined", part.name) end
        joined[i] = text
    end
    out[#out + 1] = concat(joined)
end

local function expression_text(stage, text)
    return substitute(text, function(name)
        local known = values[name]
        if known.text == nil then wrong_at(stage.place, "argument '%s' is needed here but has no value", name) end
        if type(known.text) ~= "table" then return literal(known.kind, known.text) end
        local list = {}
        for i, one in ipairs(known.text) do list[i] = literal(known.kind, one) end
        return concat(list, ", ")
    end)
end

local function planned_loop(stage)
    local on, need = {}, {}
    for _, item in ipairs(stage.on) do item_texts(item, on) end
    for _, item in ipairs(stage.need) do item_texts(item, need) end
    local key = #loops + 1
    loops[key] = { on = on, need = need, call = stage.call, drop = stage.drop, count = stage.count,
        place = stage.place, table = stage.table }
    return { stage = stage.stage, place = stage.place,
        settings = { { name = "key", list = false, tostring(key) } } }
end

local planned_chain

local function planned_stage(stage)
    if stage.call then return planned_loop(stage) end
    local out = { stage = stage.stage, place = stage.place, settings = {} }
    for _, setting in ipairs(stage.settings) do
        local texts = {}
        for _, item in ipairs(setting.items) do
            local before = #texts
            item_texts(item, texts)
            for at = before + 1, #texts do
                local option = not trusted and host.writes(stage.stage, setting.name, at)
                if option then arguments.check_output(stage, option, item, texts[at], values) end
            end
            if item.text and stage.stage == "where" then texts[#texts] = expression_text(stage, item.text) end
            local why = stage.stage == "where" and host.no_expression(texts[#texts])
            if why then wrong_at(stage.place, "where: %s", why) end
        end
        if #texts > 0 or (setting.list and #setting.items == 0) then
            texts.name = setting.name
            texts.list = setting.list or #texts > 1
            out.settings[#out.settings + 1] = texts
        end
    end
    if stage.chains then
        out.branches = {}
        for i, chain in ipairs(stage.chains) do out.branches[i] = planned_chain(chain) end
    end
    return out
end

function planned_chain(chain)
    local out = {}
    for i, stage in ipairs(chain) do out[i] = planned_stage(stage) end
    return out
end

-- given: by argument, { kind =, text =, value = }. A list of { stage =, place =, settings = } for the host.
local function plan(handle, given)
    local pipeline = inside[handle]
    values = given
    values[1] = pipeline.args
    local chain = pipeline.stages
    if pipeline.chain then
        local of = getinfo(pipeline.chain, "S")
        local place = called or (paths[of.source] or files[1].path) .. ":" .. of.linedefined
        chain = chain_of(pipeline.chain(args), pipeline.args, place) -- which has the values by now
    end
    return planned_chain(chain)
end

---- Words ------------------------------------------------------------------------------------------------------

local words = {
    pipeline = pipeline_word, use = use_word, filter = filter_word, transform = transform_word, args = args,
    merge = merge_word, tee = tee_word, thread = thread_word,
    KiB = 1024, MiB = 1024 ^ 2, GiB = 1024 ^ 3, KB = 1000, MB = 1000 ^ 2, GB = 1000 ^ 3,
    us = 1000, ms = 1000 ^ 2, s = 1000 ^ 3, min = 60 * 1000 ^ 3, h = 3600 * 1000 ^ 3, -- in ns
    nanoseconds = function(span)
        local ns, why = host.span(tostring(span))
        if not ns then wrong("%s", why) end
        return ns
    end,
}
for kind in next, arguments.kinds do words[kind] = arguments.type(kind) end -- `string`: see call_string

kit.words, kit.stage_word, kit.plugin_word, kit.call_table = words, stage_word, plugin_word, call_table

-- `string` is a type of arguments and still the library.
function kit.call_string(_, ...)
    return arguments.type("string")(...)
end

sandbox = part("sandbox")

---- What the host calls ----------------------------------------------------------------------------------------

-- Runs the text of a file; gives the handle of its pipeline, and the contents for the host to read.
local function evaluate(text, path, name)
    called = name
    local result = run_file(text, path)
    sandbox.close()
    described = true
    local contents = inside[result]
    if not contents or not contents.args then
        wrong_at(path, 'gives %s, not a pipeline; end it with return pipeline "NAME" { … }', kind_of(result))
    end
    return result, contents
end

-- The names the host shares with LuaJIT have the same shape in both, or nothing may run.
local function check_layout()
    local ffi = require "ffi"
    ffi.cdef(host.cdef)
    for _, name in ipairs(keys_of(host.sizes)) do
        if ffi.sizeof(name) ~= host.sizes[name] then
            error(format("%s has %d bytes here but %d in LuaJIT; this build of the two does not fit together", name,
                host.sizes[name], ffi.sizeof(name)), 0)
        end
    end
end
check_layout()

return { evaluate = evaluate, plan = plan, explain = explain, loops = loops, words = words, run_file = run_file }
