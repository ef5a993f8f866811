-- code_names.lua: turns the lists of error codes into a table for C, as code.h declares it.
-- usage: luajit code_names.lua IN OUT
local input, output = ...
local order = { "ntstatus", "win32", "hresult" } -- as CODE_NTSTATUS ... are numbered
local lists, list, last, line_number = {}, nil, nil, 0

local function refuse(fact)
    error(("%s:%d: %s"):format(input, line_number, fact), 0)
end

for line in io.lines(input) do
    line_number = line_number + 1
    line = line:gsub("%s+$", "")
    local title = line:match("^%[(%w+)%]$")
    if title then
        list, last = {}, -1
        lists[title] = list
    elseif line ~= "" and line:sub(1, 1) ~= "#" then
        local digits, name = line:match("^(%w+) ([%w_]+)$")
        local code = digits and tonumber(digits)
        if not code then refuse("a code and a name are expected, as in 0xC0000022 STATUS_ACCESS_DENIED") end
        if not list then refuse("no list was begun, as by [ntstatus]") end
        if code < last then refuse("the codes do not ascend") end
        list[#list + 1] = { code, name }
        last = code
    end
end

local out, names, place, bytes = { "/* made from code_names.txt by code_names.lua */\n#include \"code.h\"\n" }, {}, {}, 0
for i, title in ipairs(order) do
    if not lists[title] then refuse("the list [" .. title .. "] is missing") end
    out[#out + 1] = ("static const code_entry list_%d[] = {\n"):format(i)
    for _, entry in ipairs(lists[title]) do
        local name = entry[2]
        if not place[name] then
            place[name] = bytes
            names[#names + 1] = name
            bytes = bytes + #name + 1
        end
        out[#out + 1] = ("{0x%x,%d},\n"):format(entry[1], place[name])
    end
    out[#out + 1] = "};\n"
end
out[#out + 1] = "const code_list code_lists[CODE_LISTS] = {\n"
for i, title in ipairs(order) do out[#out + 1] = ("{list_%d, %d},\n"):format(i, #lists[title]) end
-- One long string would be longer than C compilers must take, so it is written byte by byte.
out[#out + 1] = "};\nconst char code_names[] = {"
for _, name in ipairs(names) do
    out[#out + 1] = "\n"
    for i = 1, #name do out[#out + 1] = name:byte(i) .. "," end
    out[#out + 1] = "0,"
end
out[#out + 1] = "\n};\n"
local file = assert(io.open(output, "wb"))
file:write(table.concat(out))
file:close()
