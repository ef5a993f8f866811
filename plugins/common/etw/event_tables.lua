-- event_tables.lua - compiles events/*.events into C tables: luajit event_tables.lua out.c FILE.events …
--
-- The language is described at the head of kernel.events, which comes first. One idea: whatever could be wrong with the
-- data is refused here, with its file and line, so that the C code need not doubt its tables.

local target, first_source = ...
if not first_source then
    io.stderr:write("usage: luajit event_tables.lua out.c FILE.events ...\n")
    os.exit(2)
end

local source, line_number = first_source, 0
local function fail(format, ...)
    io.stderr:write(("%s:%d: %s\n"):format(source, line_number, format:format(...)))
    os.exit(1)
end

-- What a type is in C, and how many bytes it takes beside pointers of 8 and of 4 bytes; no bytes: it varies.
local types = {
    u8 = { "TW_U8", 1 }, u16 = { "TW_U16", 2 }, u32 = { "TW_U32", 4 }, u64 = { "TW_U64", 8 },
    s8 = { "TW_I8", 1 }, s16 = { "TW_I16", 2 }, s32 = { "TW_I32", 4 }, s64 = { "TW_I64", 8 },
    f32 = { "TW_F32", 4 }, f64 = { "TW_F64", 8 }, bool32 = { "TW_BOOL32", 4 },
    p = { "TW_POINTER", 8, 4, show = "TW_SHOW_ADDRESS" },
    t64 = { "TW_TICKS", 8 }, d64 = { "TW_TICK_SPAN", 8 }, ft = { "TW_FILETIME", 8 }, st = { "TW_SYSTEMTIME", 16 },
    guid = { "TW_GUID", 16 }, ip4 = { "TW_IP4", 4 }, ip6 = { "TW_IP6", 16 },
    port = { "TW_U16", 2, show = "TW_SHOW_PORT" },
    wz = { "TW_TEXT16" }, az = { "TW_TEXT8" }, sid = { "TW_TOKENSID" },
    rest = { "TW_BYTES", bytes_by = "TW_REST" },
}
-- Types whose [N] is a length and not a number of elements: the kind, and bytes a unit.
local sized = { w = { "TW_TEXT16", 2 }, a = { "TW_TEXT8", 1 }, b = { "TW_BYTES", 1 } }
local paddings = { x = { true, true }, xp = { true, false }, xn = { false, true } }
local hints = {
    plain = "TW_SHOW_PLAIN", hex = "TW_SHOW_HEX", address = "TW_SHOW_ADDRESS", code = "TW_SHOW_CODE",
    ntstatus = "TW_SHOW_NTSTATUS", win32 = "TW_SHOW_WIN32", hresult = "TW_SHOW_HRESULT", pid = "TW_SHOW_PID",
    tid = "TW_SHOW_TID", char = "TW_SHOW_CHAR", hide = "TW_SHOW_HIDE",
}
local MAX_FIELDS = 200 -- tw_field lists are counted in a byte

local classes, class_of, class_of_group, guids = {}, {}, {}, {}
local enumerations, enumeration_of = {}, {}
local rows, layouts, layout_of = {}, {}, {}

local function sorted_keys(t)
    local keys = {}
    for key in pairs(t) do keys[#keys + 1] = key end
    table.sort(keys)
    return table.concat(keys, " ")
end

local function quoted(s)
    return s and '"' .. s:gsub('[\\"]', "\\%0") .. '"' or "0"
end

-- ---- Lines -----------------------------------------------------------------------------------------------------

local function read_class(text, has_group)
    local group
    if has_group then
        group, text = text:match("^(%x%x)%s+(.*)$")
        if not group then fail("a group begins with its two hex digits: group 01 GUID CLASS") end
        group = tonumber(group, 16)
        if class_of_group[group] then fail("group %02x is already %s", group, class_of_group[group].name) end
    end
    local guid, name = text:match("^([%x-]+)%s+([%w_]+)$")
    guid = guid and guid:lower()
    local a, b, c, d, e = (guid or ""):match("^(%x+)%-(%x+)%-(%x+)%-(%x+)%-(%x+)$")
    if not a or #a ~= 8 or #b ~= 4 or #c ~= 4 or #d ~= 4 or #e ~= 12 then
        fail("here stands a GUID and then the class's name, as in 3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c DiskIo")
    end
    if class_of[name] then fail("class %s occurs twice", name) end
    if guids[guid] then fail("GUID %s already is class %s", guid, guids[guid]) end
    guids[guid] = name
    -- A record holds the first three parts as little-endian numbers.
    local hex = a:gsub("(..)(..)(..)(..)", "%4%3%2%1") .. b:gsub("(..)(..)", "%2%1") .. c:gsub("(..)(..)", "%2%1")
        .. d .. e
    local class = { name = name, guid = hex, group = group, index = #classes }
    classes[#classes + 1] = class
    class_of[name] = class
    if group then class_of_group[group] = class end
end

local function read_enumeration(text, bits)
    local name, list = text:match("^(%w+)%s+(.+)$")
    if not name or name:match("^%l") then fail("names and bits have a name in capitals, then `number word, ...`") end
    if enumeration_of[name] then fail("%s occurs twice", name) end
    local entries = {}
    for item in list:gmatch("[^,]+") do
        local number, word = item:match("^%s*(%w+)%s+([%w_]+)%s*$")
        local value = number and tonumber(number)
        if not value or value < 0 or value >= 2 ^ 53 then fail("'%s' is not `number word`", item) end
        if #entries > 0 and entries[#entries].value >= value then
            fail("%s: the numbers must ascend at %s", name, word)
        end
        entries[#entries + 1] = { value = value, word = word }
    end
    local enumeration = { name = name, bits = bits, entries = entries, file = source, line = line_number }
    enumerations[#enumerations + 1] = enumeration
    enumeration_of[name] = enumeration
end

-- One field: what C needs of it, and `size`, its bytes beside pointers of 8 and of 4 bytes; nil where it varies.
local function read_field(text, pads)
    local body, help = text:match('^(.-)%s*"([^"]*)"$')
    body = body or text
    local shape, rest = body:match("^(%S+)%s*(.*)$")
    local pad, pad_where = shape:match("^x(%d+)([pn]?)$")
    if pad then
        if rest ~= "" or help then fail("padding has no name: %s", text) end
        pads.n = pads.n + 1
        return { name = "pad" .. pads.n, kind = "TW_BYTES", show = "TW_SHOW_HIDE", bytes_by = "TW_FIXED",
            length = tonumber(pad), size = { tonumber(pad), tonumber(pad) }, only = paddings["x" .. pad_where] }
    end
    local name, hint = rest:match("^([%w_]+)%s*(%w*)$")
    if not name then fail("'%s' is not `TYPE NAME hint \"help\"`", text) end
    local base, extent = shape:match("^(%w+)%[(%w+)%]$")
    local optional = shape:match("^(%w+)%?$")
    base = base or optional or shape
    local field = { name = name, help = help, count_by = "TW_ONE", count = 0, bytes_by = "TW_ONE", length = 0,
        only = paddings.x }
    if sized[base] then
        if not tonumber(extent or "") then fail("%s needs a length, as in %s[16]", base, base) end
        field.kind, field.bytes_by, field.length = sized[base][1], "TW_FIXED", tonumber(extent)
        field.size = { field.length * sized[base][2], field.length * sized[base][2] }
    else
        local of = types[base]
        if not of then fail("unknown type '%s'; there are %s and w[] a[] b[] xN", shape, sorted_keys(types)) end
        field.kind, field.show = of[1], of.show
        field.bytes_by = of.bytes_by or field.bytes_by
        field.size = of[2] and { of[2], of[3] or of[2] }
        if optional then
            field.count_by, field.size = "TW_IF_LEFT", nil
        elseif extent == "rest" then
            field.count_by, field.size = "TW_REST", nil
        elseif tonumber(extent or "") then
            field.count_by, field.count = "TW_FIXED", tonumber(extent)
            field.size = field.size and { field.size[1] * field.count, field.size[2] * field.count }
        elseif extent then
            field.count_by, field.count_of, field.size = "TW_FIELD", extent, nil
        end
    end
    if hint ~= "" then
        if hints[hint] then
            field.show = hints[hint]
        elseif enumeration_of[hint] then
            field.names = hint
            enumeration_of[hint].used = true
        else
            fail("unknown hint '%s' of %s; there are %s and the names and bits above", hint, name, sorted_keys(hints))
        end
    end
    return field
end

-- The fields beside pointers of one size (which: 1 for 8 bytes, 2 for 4), and the bytes before the first that varies.
local function lay_out(fields, which)
    local list, index, fixed, varies = {}, {}, 0, false
    for _, field in ipairs(fields) do
        if field.only[which] then
            local count = field.count
            if field.count_of then
                count = index[field.count_of]
                    or fail("%s counts by %s, which is not before it", field.name, field.count_of)
            end
            varies = varies or not field.size
            if not varies then fixed = fixed + field.size[which] end
            index[field.name] = #list
            list[#list + 1] = ("    { .name = %s, .help = %s, .names = %s, .kind = %s, .show = %s, .bytes_by = %s, "
                .. ".count_by = %s, .bytes = %d, .count = %d },"):format(quoted(field.name), quoted(field.help),
                field.names and "&names_" .. field.names or "0", field.kind, field.show or "TW_SHOW_PLAIN",
                field.bytes_by, field.count_by or "TW_ONE", field.length, count or 0)
        end
    end
    return list, fixed
end

local function keep_layout(list)
    local text = table.concat(list, "\n")
    if not layout_of[text] then
        layouts[#layouts + 1] = text
        layout_of[text] = "fields_" .. #layouts
    end
    return { name = layout_of[text], n = #list }
end

local function split_fields(lines)
    local fields, seen, pads = {}, {}, { n = 0 }
    for _, line in ipairs(lines) do
        line_number = line.number
        -- Semicolons inside of help are not borders.
        local text = line.text:gsub('"[^"]*"', function(help) return (help:gsub(";", "\1")) end)
        for part in text:gmatch("[^;]+") do
            part = part:gsub("\1", ";"):match("^%s*(.-)%s*$")
            if part ~= "" then
                local field = read_field(part, pads)
                if seen[field.name] then fail("field %s occurs twice", field.name) end
                seen[field.name] = true
                fields[#fields + 1] = field
            end
        end
    end
    if #fields > MAX_FIELDS then fail("more than %d fields", MAX_FIELDS) end
    return fields
end

local function read_sizes(text)
    if not text then return end
    local large, small = text:match("^(%d+)/(%d+)$")
    large = large or text:match("^(%d+)$")
    if not large then fail("a size is written [12] or [52/44], not [%s]", text) end
    return { tonumber(large), tonumber(small or large) }
end

local function read_event(text, lines)
    local at = line_number
    local class_name, versions, rest = text:match("^([%w_]+)%s+(%S+)%s+(.*)$")
    local class = class_name and class_of[class_name]
    if not class_name then fail("an event begins with its class and versions, as in `event DiskIo v3`; '%s'", text) end
    if not class then fail("there is no group or class %s above", class_name) end
    local first, last = versions:match("^v(%d+)%-(%d+)$")
    first = first or versions:match("^v(%d+)$")
    if versions == "any" then first, last = 0, 255 end
    if not first then fail("versions are written v2, v1-2 or any, not %s", versions) end
    first, last = tonumber(first), tonumber(last or first)
    if first > last or last > 255 then fail("versions %s do not ascend or exceed 255", versions) end
    local size, opcodes = rest:match("^%[([%d/]+)%]%s+(.*)$")
    local stated = read_sizes(size)
    if #lines == 0 then fail("an event's fields, `none` or `unknown` stand below it, indented") end

    local word = #lines == 1 and lines[1].text:match("^%s*(%l+)%s*$")
    local layout, known = { {}, {} }, 1
    if word == "none" or word == "unknown" then
        if stated then fail("%s has no size", word) end
        known, stated = word == "none" and 1 or 0, { 0, 0 }
    else
        if not stated then fail("the bytes of the fixed part are missing, as in [12] or [52/44]") end
        local fields = split_fields(lines)
        line_number = at
        for which = 1, 2 do
            local list, fixed = lay_out(fields, which)
            if fixed ~= stated[which] then
                fail("beside %d-byte pointers the fixed part takes %d bytes, not %d", which == 1 and 8 or 4, fixed,
                    stated[which])
            end
            layout[which] = keep_layout(list)
        end
    end
    for item in (opcodes or rest):gmatch("[^,]+") do
        local opcode, name = item:match("^%s*(%d+)%s+([%w-]+)%s*$")
        opcode = tonumber(opcode or "")
        if not opcode or opcode > 255 then fail("'%s' is not `opcode name`", item) end
        rows[#rows + 1] = { class = class.index, class_name = class.name, opcode = opcode, first = first, last = last,
            name = name, known = known, fixed = stated, layout = layout, file = source, line = at }
    end
end

-- ---- The file --------------------------------------------------------------------------------------------------

local statement, belongs = nil, {}
local readers = {
    group = function(text) read_class(text, true) end,
    class = function(text) read_class(text, false) end,
    names = function(text) read_enumeration(text, false) end,
    bits = function(text) read_enumeration(text, true) end,
    event = read_event,
}

local function finish_statement()
    if not statement then return end
    local here = line_number
    line_number = statement.number
    local word, text = statement.text:match("^(%l+)%s+(.*)$")
    local reader = word and readers[word]
    if not reader then fail("a line begins with one of %s; '%s'", sorted_keys(readers), statement.text) end
    if #belongs > 0 and word ~= "event" then
        line_number = belongs[1].number
        fail("only an event has lines that belong to it")
    end
    reader(text, belongs)
    statement, belongs, line_number = nil, {}, here
end

local function read_file(path)
    source, line_number = path, 0
    local file, why = io.open(path)
    if not file then
        io.stderr:write(why .. "\n")
        os.exit(1)
    end
    local open_line -- one that ended with a comma
    for line in file:lines() do
        line_number = line_number + 1
        local text = line:gsub("#.*$", ""):gsub("%s+$", "")
        if text ~= "" then
            if open_line then
                open_line.text = open_line.text .. " " .. text:gsub("^%s+", "")
            elseif text:match("^%s") then
                if not statement then fail("an indented line belongs to the one before it, and there is none") end
                belongs[#belongs + 1] = { text = text, number = line_number }
                open_line = belongs[#belongs]
            else
                finish_statement()
                statement = { text = text, number = line_number }
                open_line = statement
            end
            if open_line.text:sub(-1) ~= "," then open_line = nil end
        end
    end
    file:close()
    finish_statement()
end

for i = 2, select("#", ...) do read_file((select(i, ...))) end

table.sort(rows, function(a, b)
    if a.class ~= b.class then return a.class < b.class end
    if a.opcode ~= b.opcode then return a.opcode < b.opcode end
    return a.first < b.first
end)
for i = 2, #rows do
    local a, b = rows[i - 1], rows[i]
    source, line_number = b.file, b.line
    if a.class == b.class and a.opcode == b.opcode and a.last >= b.first then
        fail("%s opcode %d version %d stands in %s:%d, too", b.class_name, b.opcode, b.first, a.file, a.line)
    end
end

for _, enumeration in ipairs(enumerations) do
    source, line_number = enumeration.file, enumeration.line
    if not enumeration.used then fail("no field uses %s", enumeration.name) end
end

-- ---- C ---------------------------------------------------------------------------------------------------------

local out = { "/* Made from the files in events/ by event_tables.lua: change those. */", '#include "kernel_tables.h"', "" }
local function put(format, ...) out[#out + 1] = format:format(...) end

for _, enumeration in ipairs(enumerations) do
    put("static const tw_name words_%s[] = {", enumeration.name)
    for _, entry in ipairs(enumeration.entries) do put("    { %.0fu, %s },", entry.value, quoted(entry.word)) end
    put("};\nstatic const tw_names names_%s = {\n"
        .. "    .size = sizeof(tw_names), .n = %d, .flags = %s, .name = words_%s\n};\n", enumeration.name,
        #enumeration.entries, enumeration.bits and "TW_BITS" or "0", enumeration.name)
end
for i, layout in ipairs(layouts) do put("static const tw_field fields_%d[] = {\n%s\n};\n", i, layout) end
put("const kernel_class kernel_classes[] = {")
for _, class in ipairs(classes) do
    put("    { %s, { %s}, %s },", quoted(class.name), class.guid:gsub("%x%x", "0x%0, "),
        class.group and ("0x%02x"):format(class.group) or "KERNEL_NO_GROUP")
end
put("};\nconst unsigned kernel_class_count = %d;\n", #classes)
put("const kernel_row kernel_rows[] = {")
for _, row in ipairs(rows) do
    local large, small = row.layout[1], row.layout[2]
    put("    { %d, %d, %d, %d, %d, { %d, %d }, { %d, %d }, %s, { %s, %s } },", row.class, row.opcode, row.first,
        row.last, row.known, large.n or 0, small.n or 0, row.fixed[1], row.fixed[2], quoted(row.name),
        large.name or "0", small.name or "0")
end
put("};\nconst unsigned kernel_row_count = %d;", #rows)

local file, why = io.open(target, "w")
if not file then
    io.stderr:write(why .. "\n")
    os.exit(1)
end
file:write(table.concat(out, "\n"), "\n")
file:close()
