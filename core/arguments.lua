-- arguments.lua: what a pipeline file writes in `args`: the types, and the list that the host reads.
--
-- One idea: a default is checked as a user's own word would be, when the file is read. The prelude calls this chunk
-- with its tools; it gives the function that makes a type's word, the one that checks a list of arguments, and the one
-- that looks whether a path to write to comes from one.
local kit = ...

local host, inside = kit.host, kit.inside
local here, wrong, wrong_at, suggestion = kit.here, kit.wrong, kit.wrong_at, kit.suggestion
local contains, length, keys_of, kind_of = kit.contains, kit.length, kit.keys_of, kit.kind_of
local number_text, plain_text = kit.number_text, kit.plain_text
local ipairs, next, setmetatable, tostring, type = ipairs, next, setmetatable, tostring, type
local huge, format, match = math.huge, string.format, string.match
local find, gmatch, gsub, sub = string.find, string.gmatch, string.gsub, string.sub

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
local host_words = {
    "help", "plugins", "pipelines", "trust", "strict", "quiet", "verbose", "progress", "script_memory", "script_time",
    "check_rules",
}

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

-- How many bytes at the start of a text are a user's word: an argument that was given. In a chain function arguments are
-- plain values, so there it is a text that begins with one.
local function given_bytes(item, text, values)
    local first = item.parts and item.parts[1].name
    local most = 0
    for name, known in next, values do
        if known.given and (not item.parts or name == first) then
            for _, one in ipairs(type(known.text) == "table" and known.text or { known.text }) do
                if #one > most and sub(text, 1, #one) == one then most = #one end
            end
        end
    end
    return most
end

-- A file that is not trusted names outputs of its own below the working folder only: nothing hidden, no way up or away. Behind
-- the `given` bytes of a user's word the same holds for what the file appends.
local function check_output(stage, option, item, text, values)
    local given = given_bytes(item, text, values)
    if text == "-" or given == #text then return end
    local head, rest = sub(text, 1, given), sub(text, given + 1)
    local fine = (given > 0 or not find(text, "^[/\\]")) and (given > 1 or not find(text, "^%a:"))
    local last = match(head, "[^/\\]*$") -- which the rest may go on with
    rest = (find(last, "[^.]") or find(rest, "^[/\\]")) and gsub(rest, "^[^/\\]+", "") or last .. rest
    for part in gmatch(rest, "[^/\\]+") do fine = fine and (part == "." or sub(part, 1, 1) ~= ".") end
    if fine then return end
    wrong_at(stage.place, "%s: a file that is not trusted writes only below this folder, not to '%s': take the path from "
        .. "an argument (%s = args.out) or use --trust", stage.stage, text, option)
end

return { kinds = argument_kinds, type = argument_type, declare = declare, check_output = check_output }
