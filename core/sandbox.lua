-- sandbox.lua: what the code of a pipeline file finds by name.
--
-- One idea: an allow-list. In a file that is not trusted a name exists because it is listed here, and what is left out
-- says so. The prelude calls this chunk with its tools and the words of pipeline files; it gives the environment that a
-- file's code runs in, a function that ends the time in which globals may be made, and the check of a compiled file.
local kit = ...

local host, words, trusted = kit.host, kit.words, kit.trusted
local wrong, wrong_at, suggestion, sealed = kit.wrong, kit.wrong_at, kit.suggestion, kit.sealed
local keys_of, kind_of = kit.keys_of, kit.kind_of
local _G, getmetatable, next, rawget, rawset, require = _G, getmetatable, next, rawget, rawset, require
local setmetatable, tonumber, tostring, type = setmetatable, tonumber, tostring, type
local format, find, gmatch, gsub, rep = string.format, string.find, string.gmatch, string.gsub, string.rep
local insert, remove, sort, huge = table.insert, table.remove, table.sort, math.huge
local coroutine = coroutine

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

-- For functions that are written in C and call back: LuaJIT does not see how deep they are in each other.
local function nested(call, name)
    return function(...)
        if host.deep() then wrong("%s calls itself too often through the functions it is given", name) end
        return call(...)
    end
end
string.gsub = nested(string.gsub, "string.gsub")
table.sort = nested(sort, "table.sort")
coroutine.resume = nested(coroutine.resume, "coroutine.resume")
local wrap = coroutine.wrap
function coroutine.wrap(...)
    return nested(wrap(...), "a coroutine")
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
    }, kit.call_string)
    -- Methods of texts find the same functions, and nobody finds the metatable.
    local metatable = getmetatable("")
    metatable.__index = text_contents
    metatable.__metatable = false
    words.math = cut_down("math", math, "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp "
        .. "log log10 max min modf pi pow rad random randomseed sin sinh sqrt tan tanh")
    words.table = cut_down("table", table, "concat maxn", {
        insert = guarded(insert, "insert"), remove = guarded(remove, "remove"), sort = guarded(table.sort, "sort"),
    }, kit.call_table)
    words.bit = cut_down("bit", require "bit", "tobit tohex bnot band bor bxor lshift rshift arshift rol ror bswap")
    words.os = cut_down("os", os, "time", { date = bounded_date })
    words.string = text_library
end

if trusted then
    setmetatable(string, { __call = kit.call_string })
    setmetatable(table, { __call = kit.call_table })
    words.string, words.table = string, table
    for name, value in next, _G do words[name] = words[name] or value end
else
    sandbox_words()
end

local function unknown_word(_, name)
    if type(name) == "string" and host.has(name) then
        words[name] = host.stage(name) and kit.stage_word(name) or kit.plugin_word(name)
        return words[name]
    end
    if not trusted and blocked[name] then refuse(name, blocked[name]) end
    local hint = suggestion(name, keys_of(words))
    local plugin = hint == "" and host.nearest_plugin(tostring(name))
    if plugin then hint = format("; did you mean '%s'?", plugin) end
    wrong("no word, stage or plugin '%s'%s", tostring(name), hint)
end
setmetatable(words, { __index = unknown_word })

-- The files' own globals. They are kept beside the words, so that every assignment is seen.
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

-- 64-bit literals such as 1ULL are cdata, which is not for files that are not trusted.
local function refuse_cdata(f, path)
    local constant = require("jit.util").funck
    for n = -1, -huge, -1 do
        local k = constant(f, n)
        if k == nil then return end
        if type(k) == "proto" then refuse_cdata(k, path) end
        if type(k) == "cdata" then
            wrong_at(path, "the literal %s is blocked in a file that is not trusted; numbers are exact up to 2^53",
                tostring(k))
        end
    end
end

return {
    environment = environment,
    close = function() loaded = true end,
    check = function(chunk, path)
        if not trusted then refuse_cdata(chunk, path) end
    end,
}
