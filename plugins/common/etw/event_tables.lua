-- event_tables.lua - compiles events/*.events into C tables:
-- luajit event_tables.lua kernel_tables.c provider_tables.c FILE.events …
--
-- The language is described at the head of kernel.events, which comes first. One idea: whatever could be wrong with the
-- data is refused here, with its file and line, so that the C code need not doubt its tables. Kernel and providers get
-- a file each, so that who asks for one only does not carry the other.

local kernel_target, provider_target, first_source = ...
if not first_source then
    io.stderr:write("usage: luajit event_tables.lua kernel_tables.c provider_tables.c FILE.events ...\n")
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
    wz = { "TW_TEXT16" }, az = { "TW_TEXT8" }, sid = { "TW_TOKENSID" }, baresid = { "TW_SID" },
    rest = { "TW_BYTES", bytes_by = "TW_REST" }, struct = { "TW_STRUCT" },
}
-- Types whose [N] is a length and not a number of elements: the kind, and bytes a unit.
local sized = {
    w = { "TW_TEXT16", 2 }, a = { "TW_TEXT8", 1 }, b = { "TW_BYTES", 1 }, sa = { "TW_SOCKADDR", 1 },
}
local paddings = { x = { true, true }, xp = { true, false }, xn = { false, true } }
local hints = {
    plain = "TW_SHOW_PLAIN", hex = "TW_SHOW_HEX", address = "TW_SHOW_ADDRESS", code = "TW_SHOW_CODE",
    ntstatus = "TW_SHOW_NTSTATUS", win32 = "TW_SHOW_WIN32", hresult = "TW_SHOW_HRESULT", pid = "TW_SHOW_PID",
    tid = "TW_SHOW_TID", char = "TW_SHOW_CHAR", hide = "TW_SHOW_HIDE",
}
local MAX_FIELDS = 200 -- tw_field lists are counted in a byte

local classes, class_of, class_of_group, guids = {}, {}, {}, {}
local providers, provider_of, provider_here, provider_rows = {}, {}, nil, {}
local enumerations, enumeration_of = {}, {}
local kernel_names, provider_names = { of = {} }, { of = {} } -- the enumerations that their fields use
local rows, layouts, provider_layouts = {}, { of = {} }, { of = {} } -- layouts: a list, and by their text
-- winmeta's; a provider's own begin at 10.
local standard_opcodes = { Info = 0, Start = 1, Stop = 2, DCStart = 3, DCStop = 4, Extension = 5, Reply = 6, Resume = 7,
    Suspend = 8, Send = 9 }

local function sorted_keys(t)
    local keys = {}
    for key in pairs(t) do keys[#keys + 1] = key end
    table.sort(keys)
    return table.concat(keys, " ")
end

-- Texts that stand one behind the other, each with a 0; the first is empty and means none.
local function new_words() return { list = { "" }, at = { [""] = 0 }, bytes = 1 } end
local field_words, row_words = new_words(), new_words()

local function word_at(words, text)
    text = text or ""
    if not words.at[text] then
        words.at[text] = words.bytes
        words.list[#words.list + 1] = text
        words.bytes = words.bytes + #text + 1
    end
    return words.at[text]
end

local function quoted(s)
    return s and '"' .. s:gsub('[\\"]', "\\%0") .. '"' or "0"
end

-- ---- Lines -----------------------------------------------------------------------------------------------------

-- The bytes as a record holds them, in hex, and the name behind: the first three parts are little-endian numbers.
local function read_guid(text)
    local guid, name = text:match("^([%x-]+)%s+(.+)$")
    guid = guid and guid:lower()
    local a, b, c, d, e = (guid or ""):match("^(%x+)%-(%x+)%-(%x+)%-(%x+)%-(%x+)$")
    if not a or #a ~= 8 or #b ~= 4 or #c ~= 4 or #d ~= 4 or #e ~= 12 then
        fail("here stands a GUID and then a name, as in 3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c DiskIo")
    end
    if guids[guid] then fail("GUID %s already is %s", guid, guids[guid]) end
    guids[guid] = name
    return a:gsub("(..)(..)(..)(..)", "%4%3%2%1") .. b:gsub("(..)(..)", "%2%1") .. c:gsub("(..)(..)", "%2%1")
        .. d .. e, name
end

local function read_class(text, has_group)
    local group
    if has_group then
        group, text = text:match("^(%x%x)%s+(.*)$")
        if not group then fail("a group begins with its two hex digits: group 01 GUID CLASS") end
        group = tonumber(group, 16)
        if class_of_group[group] then fail("group %02x is already %s", group, class_of_group[group].name) end
    end
    local hex, name = read_guid(text)
    if not name:match("^[%w_]+$") then fail("the class's name is one word, not %s", name) end
    if class_of[name] then fail("class %s occurs twice", name) end
    local class = { name = name, guid = hex, group = group, index = #classes }
    classes[#classes + 1] = class
    class_of[name] = class
    if group then class_of_group[group] = class end
end

-- `1 Word, 2 Word`; `twice`: several words may share a number.
local function read_entries(list, twice)
    local entries = {}
    for item in list:gmatch("[^,]+") do
        local number, word = item:match("^%s*(%w+)%s+([%w_.:-]+)%s*$")
        local value = number and tonumber(number)
        if not value or value < 0 or value >= 2 ^ 53 then fail("'%s' is not `number word`", item) end
        local before = #entries > 0 and entries[#entries].value or -1
        if before > value or (before == value and not twice) then fail("the numbers must ascend at %s", word) end
        entries[#entries + 1] = { value = value, word = word }
    end
    return entries
end

local function read_enumeration(text, bits)
    local name, list = text:match("^(%w+)%s+(.+)$")
    if not name or name:match("^%l") then fail("names and bits have a name in capitals, then `number word, ...`") end
    if enumeration_of[name] then fail("%s occurs twice", name) end
    local entries = read_entries(list)
    local enumeration = { name = name, bits = bits, entries = entries, file = source, line = line_number }
    enumerations[#enumerations + 1] = enumeration
    enumeration_of[name] = enumeration
end

local function read_padding(text, pads)
    local bytes, where, optional = text:match("^x(%d+)([pn]?)(%??)$")
    if not bytes then return end
    bytes, pads.n = tonumber(bytes), pads.n + 1
    return { name = "pad" .. pads.n, kind = "TW_BYTES", show = "TW_SHOW_HIDE", bytes_by = "TW_FIXED", length = bytes,
        count_by = optional ~= "" and "TW_IF_LEFT" or "TW_ONE", count = 0,
        size = optional == "" and { bytes, bytes } or nil, only = paddings["x" .. where] }
end

local function read_hint(field, hint)
    if hints[hint] then
        field.show = hints[hint]
    elseif enumeration_of[hint] then
        field.names = hint
        enumeration_of[hint].used = true
    else
        fail("unknown hint '%s' of %s; there are %s and the names and bits above", hint, field.name,
            sorted_keys(hints))
    end
end

-- One field: what C needs of it, and `size`, its bytes beside pointers of 8 and of 4 bytes; nil where it varies.
local function read_field(text, pads)
    local padding = read_padding(text, pads)
    if padding then return padding end
    local body, help = text:match('^(.-)%s*"([^"]*)"$')
    body = body or text
    local shape, rest = body:match("^(%S+)%s*(.*)$")
    local name, hint_list = rest:match("^([%w_]+)([%w%s]*)$")
    if not name then fail("'%s' is not `TYPE NAME hint \"help\"`", text) end
    local base, extent = shape:match("^(%w+)%[(%w+)%]$")
    local optional = shape:match("^(%w+)%?$")
    base = base or optional or shape
    local field = { name = name, help = help, count_by = "TW_ONE", count = 0, bytes_by = "TW_ONE", length = 0,
        only = paddings.x }
    if sized[base] then
        if not extent then fail("%s needs a length, as in %s[16]", base, base) end
        field.kind = sized[base][1]
        if tonumber(extent) then
            field.bytes_by, field.length = "TW_FIXED", tonumber(extent)
            field.size = { field.length * sized[base][2], field.length * sized[base][2] }
        else
            field.bytes_by, field.length_of = "TW_FIELD", extent
        end
    else
        local of = types[base]
        if not of then fail("unknown type '%s'; there are %s and w[] a[] b[] sa[] xN", shape, sorted_keys(types)) end
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
    for hint in hint_list:gmatch("%w+") do read_hint(field, hint) end
    return field
end

-- A pointer is shown as an address unless it is plain: then it is a number of a pointer's size.
local function kind_of(field, which)
    if field.kind ~= "TW_POINTER" or field.show ~= "TW_SHOW_PLAIN" then return field.kind end
    return which == 1 and "TW_U64" or "TW_U32"
end

-- Where the field that `field` takes its length or count from stands: in the same struct or around it.
local function place_of(field, name, which)
    local around = field.parent
    while true do
        local found = around.named[name]
        if found and found.place[which] then return found.place[which] end
        if not around.parent then fail("%s needs %s, which is not before it", field.name, name) end
        around = around.parent
    end
end

-- Where the names of a field's values stand in the list of those that its tables use, from 1; 0: it has none.
local function place_of_names(list, name)
    if not name then return 0 end
    if not list.of[name] then
        list[#list + 1] = enumeration_of[name]
        list.of[name] = #list
    end
    return list.of[name]
end

local function extents_of(field, which)
    return field.count_of and place_of(field, field.count_of, which) or field.count,
        field.length_of and place_of(field, field.length_of, which) or field.length
end

local function field_in_c(field, which)
    local count, length = extents_of(field, which)
    place_of_names(kernel_names, field.names)
    local text = ("    { .name = %s, .help = %s, .names = %s, .kind = %s, .show = %s, .bytes_by = %s, "
        .. ".count_by = %s, .bytes = %d, .count = %d"):format(quoted(field.name), quoted(field.help),
        field.names and "&names_" .. field.names or "0", kind_of(field, which), field.show or "TW_SHOW_PLAIN",
        field.bytes_by,
        field.count_by, length, count)
    if field.parent.place then
        text = text .. (", .depth = %d, .parent = %d"):format(field.depth, field.parent.place[which] + 1)
    end
    if field.members then text = text .. (", .members = %d"):format(field.members[which]) end
    return text .. " },"
end

-- The same as a packed_field. A word is where it begins in a long text of all.
local function packed_in_c(field, which)
    local count, length = extents_of(field, which)
    local parent = field.parent.place and field.parent.place[which] + 1 or 0
    return ("    { %d, %d, %d, %d, %d, %s, %s, %s, %s, %d, %d },"):format(word_at(field_words, field.name),
        word_at(field_words, field.help), place_of_names(provider_names, field.names), length, count,
        kind_of(field, which), field.show or "TW_SHOW_PLAIN", field.bytes_by, field.count_by, parent,
        field.members and field.members[which] or 0)
end

-- The fields beside pointers of one size (which: 1 for 8 bytes, 2 for 4), and the bytes before the first that varies.
local function lay_out(fields, which, in_c)
    local list, fixed, varies = {}, 0, false
    for _, field in ipairs(fields) do
        if field.only[which] then
            list[#list + 1] = in_c(field, which)
            field.place[which] = #list - 1
            varies = varies or not field.size
            if not varies then fixed = fixed + field.size[which] end
        end
    end
    return list, fixed
end

local function keep_layout(kept, list)
    local text = table.concat(list, "\n")
    local layout = kept.of[text]
    if not layout then
        layout = { text = text, n = #list }
        kept[#kept + 1] = layout
        kept.of[text] = layout
    end
    return layout
end

-- A layout that is the beginning of another, as those of older versions often are, is not there a second time: those
-- that are, with `first`, how many fields stand before in the list of all.
local function join_layouts(layouts_of_all)
    table.sort(layouts_of_all, function(a, b) return a.text > b.text end)
    local kept, n = {}, 0
    for _, layout in ipairs(layouts_of_all) do
        local last = kept[#kept]
        if last and last.text:sub(1, #layout.text + 1) == layout.text .. "\n" then
            layout.first = last.first
        else
            layout.first, kept[#kept + 1], n = n, layout, n + layout.n
        end
    end
    return kept
end

-- What stands between semicolons and braces. Those inside of help are none.
local hidden = { [";"] = "\1", ["{"] = "\2", ["}"] = "\3" }
local shown = { ["\1"] = ";", ["\2"] = "{", ["\3"] = "}" }
local function split_parts(text)
    local parts = {}
    text = text:gsub('"[^"]*"', function(help) return (help:gsub("[;{}]", hidden)) end)
    for part in text:gsub("{", "{;"):gsub("}", ";};"):gmatch("[^;]+") do
        part = part:gsub("[\1\2\3]", shown):match("^%s*(.-)%s*$")
        if part ~= "" then parts[#parts + 1] = part end
    end
    return parts
end

-- A struct's fields follow it in the list and name it as `parent`; `around` holds what is not in a struct.
local function split_fields(lines)
    local around, fields, pads = { named = {} }, {}, { n = 0 }
    local open = around
    local function add(part)
        local head = part:match("^(struct.-)%s*{$")
        if part == "}" then
            open = open.parent or fail("a } without its {")
            return
        end
        local field = read_field(head or part, pads)
        if (field.kind == "TW_STRUCT") ~= (head ~= nil) then fail("a struct has its fields in braces: %s", part) end
        if open.named[field.name] then fail("field %s occurs twice", field.name) end
        open.named[field.name] = field
        field.parent, field.depth, field.place = open, (open.depth or -1) + 1, {}
        fields[#fields + 1] = field
        local struct = open
        while struct.members do
            for which = 1, 2 do
                struct.members[which] = struct.members[which] + (field.only[which] and 1 or 0)
            end
            struct = struct.parent
        end
        if head then
            field.named, field.members = {}, { 0, 0 }
            open = field
        end
    end
    for _, line in ipairs(lines) do
        line_number = line.number
        for _, part in ipairs(split_parts(line.text)) do add(part) end
    end
    if open ~= around then fail("struct %s has no }", open.name) end
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

local function read_versions(text)
    if text == "any" then return 0, 255 end
    local first, last = text:match("^v(%d+)%-(%d+)$")
    first = first or text:match("^v(%d+)$")
    if not first then fail("versions are written v2, v1-2 or any, not %s", text) end
    first, last = tonumber(first), tonumber(last or first)
    if first > last or last > 255 then fail("versions %s do not ascend or exceed 255", text) end
    return first, last
end

-- The layouts beside pointers of 8 and of 4 bytes, 1 or 0 for whether there is one, and the bytes that are fixed.
local function read_layout(size, lines, kept, in_c)
    local at, stated = line_number, read_sizes(size)
    if #lines == 0 then fail("an event's fields, `none` or `unknown` stand below it, indented") end
    local word = #lines == 1 and lines[1].text:match("^%s*(%l+)%s*$")
    if word == "none" or word == "unknown" then
        if stated then fail("%s has no size", word) end
        return { {}, {} }, word == "none" and 1 or 0, { 0, 0 }
    end
    if not stated then fail("the bytes of the fixed part are missing, as in [12] or [52/44]") end
    local layout, fields = {}, split_fields(lines)
    line_number = at
    for which = 1, 2 do
        local list, fixed = lay_out(fields, which, in_c)
        if fixed ~= stated[which] then
            fail("beside %d-byte pointers the fixed part takes %d bytes, not %d", which == 1 and 8 or 4, fixed,
                stated[which])
        end
        layout[which] = keep_layout(kept, list)
    end
    return layout, 1, stated
end

local function read_class_event(class_name, versions, rest, lines)
    local class = class_of[class_name] or fail("there is no group or class %s above", class_name)
    local first, last = read_versions(versions)
    local size, opcodes = rest:match("^%[([%d/]+)%]%s+(.*)$")
    local layout, known, fixed = read_layout(size, lines, layouts, field_in_c)
    for item in (opcodes or rest):gmatch("[^,]+") do
        local opcode, name = item:match("^%s*(%d+)%s+([%w_-]+)%s*$")
        opcode = tonumber(opcode or "")
        if not opcode or opcode > 255 then fail("'%s' is not `opcode name`", item) end
        rows[#rows + 1] = { class = class.index, class_name = class.name, opcode = opcode, first = first, last = last,
            name = name, known = known, fixed = fixed, layout = layout, file = source, line = line_number }
    end
end

-- The number of a task or opcode: of the one said, else of the one that is called like the event, else 0.
local function number_of(provider, what, said, name, standard)
    local number = provider[what].number[said or name] or standard and standard[said]
    if said and not number then fail("%s has no %s %s", provider.name, what:sub(1, -2), said) end
    return number or 0
end

-- What an event without a name of its own is called, as manifests do (event_name.h).
local function task_and_opcode(said)
    local task, opcode = said.task or "", said.opcode or ""
    local name = task:sub(-#opcode) == opcode and task or task .. opcode
    return name ~= "" and name
end

-- `1 Start task=Process opcode=Start level=4 keyword=0x10`, as the head of kernel.events explains.
local function read_provider_item(provider, item)
    local number, rest = item:match("^%s*(%d+)(.*)$")
    local id = tonumber(number or "")
    if not id or id > 65535 then fail("'%s' is not `id name attributes`", item) end
    local name, said = nil, { level = "4", keyword = "0" }
    for word in rest:gmatch("%S+") do
        local attribute, value = word:match("^(%l+)=(%S+)$")
        if attribute == "task" or attribute == "opcode" or attribute == "level" or attribute == "keyword" then
            said[attribute] = value
        elseif not name and word:match("^[%w_.-]+$") then
            name = word
        else
            fail("'%s' is not task=NAME, opcode=NAME, level=N or keyword=0xN", word)
        end
    end
    name = name or task_and_opcode(said) or number
    local level, keyword = tonumber(said.level), tonumber(said.keyword)
    if not level or level > 255 then fail("level=%s is no level", said.level) end
    if not keyword or keyword >= 2 ^ 53 then fail("keyword=%s is no set of bits below 2^53", said.keyword) end
    return { id = id, name = name, level = level, keyword = keyword,
        task = number_of(provider, "tasks", said.task, name),
        opcode = number_of(provider, "opcodes", said.opcode, name, standard_opcodes),
        opcode_name = provider.opcodes.number[said.opcode or name] and (said.opcode or name),
        file = source, line = line_number }
end

local function read_provider_event(versions, rest, lines)
    local provider = provider_here or fail("there is no provider above")
    local first, last = read_versions(versions)
    local size, items = rest:match("^%[([%d/]+)%]%s+(.*)$")
    local layout, known = read_layout(size, lines, provider_layouts, packed_in_c)
    if layout[1].text ~= layout[2].text then fail("a provider's events have no padding and no plain pointers") end
    for item in (items or rest):gmatch("[^,]+") do
        local row = read_provider_item(provider, item)
        row.provider, row.first, row.last, row.layout, row.known = provider, first, last, layout[1], known
        provider_rows[#provider_rows + 1] = row
    end
end

local function read_event(text, lines)
    local word, second, rest = text:match("^(%S+)%s+(%S+)%s+(.*)$")
    if not word then
        fail("an event begins with its class and versions, as in `event DiskIo v3`, or with versions; '%s'", text)
    end
    if word == "any" or word:match("^v%d") then
        read_provider_event(word, second .. " " .. rest, lines)
    else
        read_class_event(word, second, rest, lines)
    end
end

local function read_list(text, twice)
    local list = { entries = read_entries(text, twice), number = {} }
    for _, entry in ipairs(list.entries) do
        if list.number[entry.word] then fail("%s occurs twice", entry.word) end
        list.number[entry.word] = entry.value
    end
    return list
end

local function read_provider(text, lines)
    local none = { entries = {}, number = {} }
    local hex, name = read_guid(text)
    if provider_of[name] then fail("provider %s occurs twice", name) end
    local provider = { name = name, guid = hex, tasks = none, opcodes = none, keywords = none }
    for _, line in ipairs(lines) do
        line_number = line.number
        local word, list = line.text:match("^%s*(%l+)%s+(.*)$")
        if word ~= "tasks" and word ~= "opcodes" and word ~= "keywords" then
            fail("below a provider stand its keywords, tasks and opcodes")
        end
        provider[word] = read_list(list, word == "opcodes") -- opcodes may have another meaning in each task
    end
    providers[#providers + 1] = provider
    provider_of[name], provider_here = provider, provider
end

-- ---- The file --------------------------------------------------------------------------------------------------

local statement, belongs = nil, {}
local readers = {
    group = function(text) read_class(text, true) end,
    class = function(text) read_class(text, false) end,
    names = function(text) read_enumeration(text, false) end,
    bits = function(text) read_enumeration(text, true) end,
    event = read_event,
    provider = read_provider,
}

local function finish_statement()
    if not statement then return end
    local here = line_number
    line_number = statement.number
    local word, text = statement.text:match("^(%l+)%s+(.*)$")
    local reader = word and readers[word]
    if not reader then fail("a line begins with one of %s; '%s'", sorted_keys(readers), statement.text) end
    if #belongs > 0 and word ~= "event" and word ~= "provider" then
        line_number = belongs[1].number
        fail("only events and providers have lines that belong to them")
    end
    reader(text, belongs)
    statement, belongs, line_number = nil, {}, here
end

local function read_file(path)
    source, line_number, provider_here = path, 0, nil
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

for i = 3, select("#", ...) do read_file((select(i, ...))) end

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

local out -- the lines of the file at hand
local function put(format, ...) out[#out + 1] = format:format(...) end

local function begin_file(header)
    out = { "/* Made from the files in events/ by event_tables.lua: change those. */", ('#include "%s"\n'):format(header) }
end

local function end_file(path)
    local file, why = io.open(path, "w")
    if not file then
        io.stderr:write(why .. "\n")
        os.exit(1)
    end
    file:write(table.concat(out, "\n"), "\n")
    file:close()
end

local function put_names(name, entries, bits)
    put("static const tw_name words_%s[] = {", name)
    for _, entry in ipairs(entries) do put("    { %.0fu, %s },", entry.value, quoted(entry.word)) end
    put("};\nstatic const tw_names names_%s = {\n"
        .. "    .size = sizeof(tw_names), .n = %d, .flags = %s, .name = words_%s\n};\n", name, #entries,
        bits and "TW_BITS" or "0", name)
end

local function put_all_names(list)
    for _, enumeration in ipairs(list) do put_names(enumeration.name, enumeration.entries, enumeration.bits) end
end

begin_file("kernel_tables.h")
put_all_names(kernel_names)
for _, layout in ipairs(join_layouts(layouts)) do
    put("static const tw_field fields_%d[] = {\n%s\n};\n", layout.first, layout.text)
end
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
        large.first and "fields_" .. large.first or "0", small.first and "fields_" .. small.first or "0")
end
put("};\nconst unsigned kernel_row_count = %d;", #rows)
end_file(kernel_target)

-- Providers are found by their GUID, so they are sorted by its bytes; their events by id and version.
begin_file("provider_tables.h")
put_all_names(provider_names)
table.sort(providers, function(a, b) return a.guid < b.guid end)
for i, provider in ipairs(providers) do
    provider.index = i - 1
    for _, what in ipairs { "keywords", "tasks" } do
        local entries = provider[what].entries
        if #entries > 0 then put_names(what .. "_" .. i, entries, what == "keywords") end
    end
end
table.sort(provider_rows, function(a, b)
    if a.provider ~= b.provider then return a.provider.index < b.provider.index end
    if a.id ~= b.id then return a.id < b.id end
    return a.first < b.first
end)
put("const packed_field provider_fields[] = {")
for _, layout in ipairs(join_layouts(provider_layouts)) do put("%s", layout.text) end
put("};\nconst provider_row provider_rows[] = {")
for i, row in ipairs(provider_rows) do
    local before = provider_rows[i - 1]
    if before and before.provider == row.provider and before.id == row.id and before.last >= row.first then
        source, line_number = row.file, row.line
        fail("%s %d version %d stands in %s:%d, too", row.provider.name, row.id, row.first, before.file, before.line)
    end
    row.provider.first_row = row.provider.first_row or i - 1
    row.provider.nrows = (row.provider.nrows or 0) + 1
    put("    { 0x%xu, %d, %d, %s, %d, %d, %d, %d, %d, %d, %d },", row.keyword, word_at(row_words, row.name),
        word_at(row_words, row.opcode_name), row.known == 1 and (row.layout.first or 0) or "PROVIDER_NO_LAYOUT",
        row.id, row.task, row.layout.n or 0, row.first, row.last, row.opcode, row.level)
end
put("};\nconst provider_table provider_tables[] = {")
for i, provider in ipairs(providers) do
    put("    { { %s}, %s, %s, %s, %d, %d },", provider.guid:gsub("%x%x", "0x%0, "), quoted(provider.name),
        #provider.keywords.entries > 0 and "&names_keywords_" .. i or "0",
        #provider.tasks.entries > 0 and "&names_tasks_" .. i or "0", provider.first_row or 0, provider.nrows or 0)
end
put("};\nconst unsigned provider_count = %d;", #providers)
put("const tw_names *const provider_names[] = {\n    0,")
for _, enumeration in ipairs(provider_names) do put("    &names_%s,", enumeration.name) end
put("};")

-- As numbers, since a literal must not be that long.
local function put_words(name, words)
    if words.bytes > 65536 then fail("%s take more than 65536 bytes", name) end
    put("const char %s[] = {", name)
    for _, text in ipairs(words.list) do put("    %s0,", (text:gsub(".", function(c) return c:byte() .. "," end))) end
    put("};")
end
put_words("provider_field_words", field_words)
put_words("provider_row_words", row_words)
end_file(provider_target)
