-- prelude.lua: the language of pipeline files, on top of Lua.
--
-- Evaluating a file builds a description and reads nothing. One idea: what a file gets hold of (stages, arguments,
-- pipelines, libraries) are empty tables whose contents only this text can reach, so nothing a file does later can
-- change what was checked.
--
-- The host calls this chunk with its functions and with whether the file is trusted; it gets back a table of the
-- functions at the end. In a file that is not trusted only the words listed here exist.
local host, trusted = ...

local error, getmetatable, ipairs, load, next = error, getmetatable, ipairs, load, next
local rawget, rawset, select, setfenv, setmetatable = rawget, rawset, select, setfenv, setmetatable
local tonumber, tostring, type = tonumber, tostring, type
local getinfo, floor, huge = debug.getinfo, math.floor, math.huge
local concat, insert, remove, sort, maxn = table.concat, table.insert, table.remove, table.sort, table.maxn
local find, format, match, rep, sub = string.find, string.format, string.match, string.rep, string.sub
local gsub, gmatch = string.gsub, string.gmatch

local inside = setmetatable({}, { __mode = "k" }) -- contents of the empty tables, by table

---- Errors -----------------------------------------------------------------------------------------------------

-- The file being evaluated: as Lua knows it, as people do, and as Lua writes it in messages.
local source, path, short
local begin -- the line of its `pipeline "NAME"`; `return pipeline "NAME" { … }` leaves no function of the file behind

-- The line of the file that is being evaluated: that of its innermost function on the stack.
local function here()
    local level = 2
    local info = getinfo(level, "Sl")
    while info do
        if info.source == source then return path .. ":" .. info.currentline end
        level = level + 1
        info = getinfo(level, "Sl")
    end
    return begin or path
end

local function wrong_at(place, message, ...)
    error(place .. ": " .. format(message, ...), 0)
end

local function wrong(...)
    wrong_at(here(), ...)
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

---- Arguments of a pipeline ------------------------------------------------------------------------------------

-- For each type: what a bare text or number means, and which keys a table may have.
local argument_kinds = {
    file = { bare = "help", keys = { "help", "many", "optional", "default" } },
    folder = { bare = "help", keys = { "help", "many", "optional", "default" } },
    number = { bare = "help", keys = { "help", "many", "optional", "default", "min", "max" } },
    string = { bare = "default", keys = { "help", "many", "optional", "default" } },
    flag = { bare = "help", keys = { "help", "default" } },
    span = { bare = "default", keys = { "help", "many", "optional", "default" } },
    time = { bare = "default", keys = { "help", "many", "optional", "default" } },
    choice = { bare = "help", keys = { "help", "many", "optional", "default" } },
    rest = { bare = "help", keys = { "help" } },
}
local key_types = { help = "string", many = "boolean", optional = "boolean", min = "number", max = "number" }
local host_words = { "help", "plugins", "pipelines", "trust", "strict", "quiet", "verbose", "progress" }

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

-- The default as text, checked as a user's own word would be.
local function default_text(argument, value)
    local kind = argument.kind
    local word
    if type(value) == "number" then
        word = number_text(value)
    elseif kind == "flag" and type(value) == "boolean" then
        word = tostring(value)
    elseif type(value) == "string" and kind ~= "flag" then
        word = plain_text(value)
    else
        wrong("the default of a %s cannot be %s", kind, kind_of(value))
    end
    local why = host.unfit(kind, word)
    if why then wrong("the default of a %s: %s", kind, why) end
    if kind == "number" then
        local number = host.number(word)
        if number < argument.least or number > argument.most then
            wrong("the default %s is not from %.17g to %.17g", word, argument.least, argument.most)
        end
    elseif kind == "choice" then
        if not contains(argument.choices, word) then
            wrong("the default '%s' is not one of the choices%s", word, suggestion(word, argument.choices))
        end
    end
    return word
end

local function choices_of(given)
    local choices = {}
    for i = 1, length(given) do
        if type(given[i]) ~= "string" then wrong("a choice is a text, not %s", kind_of(given[i])) end
        choices[i] = plain_text(given[i])
    end
    if #choices == 0 then wrong('a choice needs its words, as in choice { "csv", "json" }') end
    return choices
end

-- Takes the keys of `number { 20, min = 1 }` into the argument.
local function read_argument(argument, given)
    local known = argument_kinds[argument.kind]
    for key, value in next, given do
        if type(key) == "string" then
            if not contains(known.keys, key) then
                wrong("a %s has no '%s'%s", argument.kind, key, suggestion(key, known.keys))
            elseif key_types[key] and type(value) ~= key_types[key] then
                wrong("'%s' is a %s, not %s", key, key_types[key], kind_of(value))
            end
        elseif key ~= 1 and argument.kind ~= "choice" then
            wrong("a %s takes one value without a name", argument.kind)
        end
    end
    argument.help = given.help
    argument.many = given.many or false
    argument.least, argument.most = given.min or -huge, given.max or huge
    local default = given.default
    if argument.kind == "choice" then
        argument.choices = choices_of(given)
    elseif given[1] ~= nil then
        if known.bare == "default" or type(given[1]) == "number" then
            default = given[1]
        elseif type(given[1]) == "string" then
            argument.help = given[1]
        else
            wrong("a %s cannot be made of %s", argument.kind, kind_of(given[1]))
        end
    end
    if default ~= nil then argument.default = default_text(argument, default) end
    argument.required = default == nil and not given.optional and argument.kind ~= "flag" and argument.kind ~= "rest"
end

-- The function that a type's name is in a pipeline file.
local function argument_type(kind)
    return function(first, least, most)
        local given = first
        if type(first) ~= "table" or inside[first] then given = { first, min = least, max = most } end
        local argument = { what = "the type of an argument", kind = kind, place = here() }
        read_argument(argument, given)
        local handle = setmetatable({}, { __metatable = false })
        inside[handle] = argument
        return handle
    end
end

-- Checks `args = { {name, type [, help]}, … }` and gives the list the host reads.
local function declare(list)
    if type(list) ~= "table" or inside[list] then wrong('args is a list, as in { {"trace", file "an .etl file"} }') end
    local out, seen, rest = {}, {}, nil
    local name = keys_of(list)[1]
    if name then wrong('args is a list, so that its order is known: args = { {"%s", …} }', name) end
    for i = 1, length(list) do
        local entry = list[i]
        local name = type(entry) == "table" and entry[1]
        if type(name) ~= "string" then wrong('argument %d is not of the form {"name", type}', i) end
        local argument = inside[entry[2]]
        if not argument or not argument.kind then
            wrong('argument \'%s\' has no type, as in {"%s", file "an .etl file"}', name, name)
        end
        local place = argument.place
        if not match(name, "^[%a_][%w_]*$") then
            wrong_at(place, "'%s' is no name for an argument: letters, digits and _ only", name)
        elseif contains(host_words, name) then
            wrong_at(place, "'%s' is the host's own option; give the argument another name", name)
        elseif seen[name] then
            wrong_at(place, "argument '%s' is there twice", name)
        elseif rest then
            wrong_at(place, "argument '%s' comes after '%s', which takes the rest", name, rest)
        elseif entry[3] ~= nil and type(entry[3]) ~= "string" then
            wrong_at(place, "the help of argument '%s' is a text, not %s", name, kind_of(entry[3]))
        end
        seen[name] = true
        if argument.kind == "rest" then rest = name end
        local copy = { name = name, help = entry[3] or argument.help }
        for _, key in ipairs { "kind", "many", "least", "most", "default", "required", "choices" } do
            copy[key] = argument[key]
        end
        out[i] = copy
    end
    return out
end

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
    return placeholder(parts, here())
end

for _, event in ipairs { "add", "sub", "mul", "div", "mod", "pow", "unm", "lt", "le", "call", "index", "newindex" } do
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
        if not values then return placeholder({ { name = name } }, here()) end
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
    wrong("%s cannot be %s", of, kind_of(value))
end

local function add_setting(stage, settings, name, value)
    local duration, why = host.option(stage, name)
    if duration == nil then wrong("%s: %s", stage, why) end
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

local stage_metatable = { __metatable = false }

local function new_stage(contents)
    local handle = setmetatable({}, stage_metatable)
    contents.what, contents.place = format("the stage '%s'", contents.stage), here()
    inside[handle] = contents
    return handle
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

---- filter -----------------------------------------------------------------------------------------------------

local filters = {} -- what the stage `filter` finds by its key: { on =, need =, keep =, drop =, place = }
local most_needs = 32 -- filter.c's bound, too

local function filter_list(key, value)
    local list = (type(value) ~= "table" or inside[value]) and { value } or value
    local items = {}
    for i = 1, length(list) do
        local known = inside[list[i]]
        if type(list[i]) ~= "string" and not (known and known.parts) then
            wrong("'%s' of 'filter' is a text or a list of them, not %s", key, kind_of(list[i]))
        end
        items[i] = item_of("filter", key, list[i])
    end
    return items
end

local function filter_word(given, ...)
    if type(given) ~= "table" or inside[given] or select("#", ...) > 0 then
        wrong('\'filter\' takes a table: filter { on = "DiskIo/Read", need = { "pid" }, keep = function(pid) … end }')
    end
    local known = { "on", "need", "keep", "others" }
    for key in next, given do
        if not contains(known, key) then wrong("'filter' has no '%s'%s", tostring(key), suggestion(key, known)) end
    end
    local on = filter_list("on", given.on == nil and "*" or given.on)
    local need, others = filter_list("need", given.need or {}), given.others
    if #on == 0 then
        wrong("'filter' needs at least one pattern in on, as in on = \"DiskIo/Read\"")
    elseif type(given.keep) ~= "function" then
        wrong("'filter' needs keep, a function of the values in need that gives true for events to keep")
    elseif #need > most_needs then
        wrong("'filter' needs %d values; %d is the most", #need, most_needs)
    elseif others ~= nil and others ~= "pass" and others ~= "drop" then
        wrong('\'others\' of \'filter\' is "pass" or "drop", not %s',
            type(others) == "string" and "'" .. others .. "'" or kind_of(others))
    end
    return new_stage { stage = "filter", on = on, need = need, keep = given.keep, drop = others == "drop" }
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

-- The stages in the array part of a list, checked to fit together. `false` is left out: args.all or where "…".
local function chain_of(list, declared, place)
    local chain = {}
    if type(list) ~= "table" or inside[list] then
        wrong_at(place, "chain must give a list of stages, not %s", kind_of(list))
    end
    for i = 1, length(list) do
        local stage = inside[list[i]]
        if stage and stage.stage then
            chain[#chain + 1] = stage
            each_reference(stage, function(place, name) check_name(place, name, declared) end)
        elseif list[i] then
            local hint = type(list[i]) == "function" and "; it may lack its settings, as in limit { n = 20 }" or ""
            wrong_at(place, "item %d of the chain is %s, not a stage%s", i, kind_of(list[i]), hint)
        end
    end
    if #chain == 0 then wrong_at(place, "the chain has no stages") end
    for i, stage in ipairs(chain) do
        local _, role = host.stage(stage.stage)
        if i == 1 and role ~= "source" and role ~= "server" then
            wrong_at(stage.place, "the chain begins with '%s', which is no source; begin with one, "
                .. "as in etl.read { file = … }", stage.stage)
        elseif i > 1 and role == "source" then
            wrong_at(stage.place, "'%s' is a source and must come first", stage.stage)
        elseif role == "server" and #chain > 1 then
            wrong_at(stage.place, "'%s' stands alone; nothing can come before or after it", stage.stage)
        end
    end
    return chain
end

local function make_pipeline(name, given)
    if type(given) ~= "table" or inside[given] then wrong('write pipeline "%s" { … }', name) end
    local known = { "help", "args", "chain" }
    for _, key in ipairs(keys_of(given)) do
        if not contains(known, key) then wrong("a pipeline has no '%s'%s", key, suggestion(key, known)) end
    end
    if given.help ~= nil and type(given.help) ~= "string" then
        wrong("the help of a pipeline is a text, not %s", kind_of(given.help))
    end
    local contents = { what = "a pipeline", name = name, help = given.help, args = declare(given.args or {}) }
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
    local handle = setmetatable({}, { __metatable = false })
    inside[handle] = contents
    return handle
end

local function pipeline_word(name)
    if type(name) ~= "string" or not match(name, "^[%w_-]+$") then
        wrong('a pipeline has a name of letters, digits, - and _: pipeline "disk-latency" { … }')
    end
    begin = here()
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

local function planned_filter(stage)
    local on, need = {}, {}
    for _, item in ipairs(stage.on) do item_texts(item, on) end
    for _, item in ipairs(stage.need) do item_texts(item, need) end
    local key = #filters + 1
    filters[key] = { on = on, need = need, keep = stage.keep, drop = stage.drop, place = stage.place }
    return { stage = "filter", place = stage.place, settings = { { name = "key", list = false, tostring(key) } } }
end

local function planned_stage(stage)
    if stage.keep then return planned_filter(stage) end
    local out = { stage = stage.stage, place = stage.place, settings = {} }
    for _, setting in ipairs(stage.settings) do
        local texts = {}
        for _, item in ipairs(setting.items) do
            item_texts(item, texts)
            if item.text and stage.stage == "where" then texts[#texts] = expression_text(stage, item.text) end
            local why = stage.stage == "where" and host.no_expression(texts[#texts])
            if why then wrong_at(stage.place, "%s", why) end
        end
        if #texts > 0 or (setting.list and #setting.items == 0) then
            texts.name = setting.name
            texts.list = setting.list or #texts > 1
            out.settings[#out.settings + 1] = texts
        end
    end
    return out
end

-- given: by argument, { kind =, text =, value = }. A list of { stage =, place =, settings = } for the host.
local function plan(handle, given)
    local pipeline = inside[handle]
    values = given
    values[1] = pipeline.args
    local chain = pipeline.stages
    if pipeline.chain then
        local place = path .. ":" .. getinfo(pipeline.chain, "S").linedefined
        chain = chain_of(pipeline.chain(args), pipeline.args, place) -- which has the values by now
    end
    local out = {}
    for i, stage in ipairs(chain) do out[i] = planned_stage(stage) end
    return out
end

---- Words ------------------------------------------------------------------------------------------------------

local words = {
    pipeline = pipeline_word, filter = filter_word, args = args,
    KiB = 1024, MiB = 1024 ^ 2, GiB = 1024 ^ 3, KB = 1000, MB = 1000 ^ 2, GB = 1000 ^ 3,
    us = 1000, ms = 1000 ^ 2, s = 1000 ^ 3, min = 60 * 1000 ^ 3, h = 3600 * 1000 ^ 3, -- in ns
    nanoseconds = function(span)
        local ns, why = host.span(tostring(span))
        if not ns then wrong("%s", why) end
        return ns
    end,
}
for kind in next, argument_kinds do words[kind] = argument_type(kind) end -- `string`: see call_string

-- `string` is a type of arguments and still the library.
local function call_string(_, ...)
    return argument_type("string")(...)
end

-- What a file that is not trusted may not use, and what to do instead.
local blocked = {
    io = ": files are read and written by stages", print = ": results go through stages, as in text.grid {}",
    load = ": write the code in the file itself", require = ": write the code in the file itself",
}
for name in gmatch("package debug ffi jit loadstring loadfile dofile module getfenv setfenv newproxy collectgarbage "
    .. "getmetatable setmetatable rawget rawset rawequal rawlen xpcall coroutine gcinfo _G", "%S+") do
    blocked[name] = "; --trust allows it"
end

local function refuse(name, instead)
    wrong("'%s' is blocked in a file that is not trusted%s", name, instead or "; --trust allows it")
end

-- A library cut down to the names given; what is left out says that it is blocked, not that it is missing.
local function cut_down(name, library, names, replaced, call)
    local contents = {}
    for key in gmatch(names, "%S+") do contents[key] = library[key] end
    for key, value in next, replaced or {} do contents[key] = value end
    return sealed(name, contents, function(_, key)
        local full = name .. "." .. tostring(key)
        if library[key] ~= nil then refuse(full) end
        wrong("no function '%s'%s", full, suggestion(key, keys_of(contents)))
    end, call), contents
end

-- Patterns cannot be interrupted, so what they work on is bounded.
local most_subject, most_pattern, most_made = 65536, 256, 1048576

local function bounded(name)
    local call = string[name]
    return function(subject, pattern, ...)
        if #tostring(subject) > most_subject then
            wrong("string.%s takes texts of at most %d bytes here, not %d", name, most_subject, #tostring(subject))
        elseif type(pattern) == "string" and #pattern > most_pattern then
            wrong("string.%s takes patterns of at most %d bytes here, not %d", name, most_pattern, #pattern)
        end
        return call(subject, pattern, ...)
    end
end

local function bounded_rep(text, n, ...)
    local times = tonumber(n)
    if times and times > 0 and (#tostring(text) + #tostring(... or "")) * times > most_made then
        wrong("string.rep makes texts of at most %d bytes here", most_made)
    end
    return rep(text, n, ...)
end

-- table.insert and its kind write past a metatable, so they must not be handed what this text owns.
local function guarded(call, name)
    return function(t, ...)
        if type(t) == "table" and getmetatable(t) ~= nil then wrong("table.%s cannot change %s", name, kind_of(t)) end
        return call(t, ...)
    end
end

-- Some systems end the program at a conversion they do not know.
local function bounded_date(pattern, ...)
    if type(pattern) == "string" and find(gsub(pattern, "%%[aAbBcdHIjmMpSUwWxXyYZ%%]", ""), "%%") then
        wrong("os.date takes the conversions of standard C only, not '%s'", pattern)
    end
    return os.date(pattern, ...)
end

local function sandbox_words()
    for name in gmatch("ipairs pairs next select tonumber tostring type assert error pcall unpack", "%S+") do
        words[name] = _G[name]
    end
    local text_library, text_contents = cut_down("string", string, "byte char format len lower reverse sub upper", {
        rep = bounded_rep, find = bounded("find"), match = bounded("match"), gmatch = bounded("gmatch"),
        gsub = bounded("gsub"),
    }, call_string)
    -- Methods of texts find the same functions, and nobody finds the metatable.
    local metatable = getmetatable("")
    metatable.__index = text_contents
    metatable.__metatable = false
    words.math = cut_down("math", math, "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp "
        .. "log log10 max min modf pi pow rad random randomseed sin sinh sqrt tan tanh")
    words.table = cut_down("table", table, "concat maxn", {
        insert = guarded(insert, "insert"), remove = guarded(remove, "remove"), sort = guarded(sort, "sort"),
    })
    words.bit = cut_down("bit", require "bit", "tobit tohex bnot band bor bxor lshift rshift arshift rol ror bswap")
    words.os = cut_down("os", os, "time", { date = bounded_date })
    words.string = text_library
end

if trusted then
    setmetatable(string, { __call = call_string })
    words.string = string
    for name, value in next, _G do words[name] = words[name] or value end
else
    sandbox_words()
end

local function unknown_word(_, name)
    if type(name) == "string" and host.has(name) then
        words[name] = host.stage(name) and stage_word(name) or plugin_word(name)
        return words[name]
    end
    if not trusted and blocked[name] then refuse(name, blocked[name]) end
    local hint = suggestion(name, keys_of(words))
    local plugin = hint == "" and host.nearest_plugin(tostring(name))
    if plugin then hint = format("; did you mean '%s'?", plugin) end
    wrong("no word, stage or plugin '%s'%s", tostring(name), hint)
end
setmetatable(words, { __index = unknown_word })

-- The file's own globals. They are kept beside the words, so that every assignment is seen.
local own = setmetatable({}, { __index = words })
local loaded = false
local environment = setmetatable({}, {
    __index = own,
    __newindex = function(_, name, value)
        if loaded and not trusted then
            wrong("global '%s' cannot be assigned after the file was read; make it local", tostring(name))
        elseif rawget(words, name) ~= nil then
            wrong("'%s' is a word of pipeline files and cannot be assigned", tostring(name))
        end
        own[name] = value
    end,
    __metatable = false,
})

---- What the host calls ----------------------------------------------------------------------------------------

-- 64-bit literals such as 1ULL are cdata, which is not for files that are not trusted.
local function refuse_cdata(f)
    local constant = require("jit.util").funck
    for n = -1, -huge, -1 do
        local k = constant(f, n)
        if k == nil then return end
        if type(k) == "proto" then refuse_cdata(k) end
        if type(k) == "cdata" then
            wrong_at(path, "the literal %s is blocked in a file that is not trusted; numbers are exact up to 2^53",
                tostring(k))
        end
    end
end

-- Runs the text of a file; gives the handle of its pipeline, and the contents for the host to read.
local function evaluate(text, name)
    source, path = "@" .. name, name
    short = getinfo(load("", source), "S").short_src
    local chunk, why = load(text, source, "t")
    if not chunk then error(why, 0) end
    if not trusted then refuse_cdata(chunk) end
    setfenv(chunk, environment)
    local result = chunk()
    loaded = true
    local contents = inside[result]
    if not contents or not contents.args then
        wrong_at(path, 'gives %s, not a pipeline; end it with return pipeline "NAME" { … }', kind_of(result))
    end
    return result, contents
end

-- What the host says of an error: with the line of the file, where Lua names a line of this text or shortens a path.
local function explain(message)
    if type(message) ~= "string" then return here() .. ": an error was raised with " .. kind_of(message) end
    if sub(message, 1, #short + 1) == short .. ":" then return path .. sub(message, #short + 1) end
    local rest = match(message, "^prelude%.lua:%d+: (.*)")
    return rest and here() .. ": " .. rest or message
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

return { evaluate = evaluate, plan = plan, explain = explain, filters = filters }
