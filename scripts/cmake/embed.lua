-- embed.lua: turns a file into a C array, so that the program carries it.
-- usage: luajit embed.lua IN OUT SYMBOL [BEGIN END]
-- With BEGIN and END only the lines between the lines holding these two marks are taken.
-- Makes `const char SYMBOL[]` (ended by 0) and `const unsigned SYMBOL_bytes` (without that 0).
local input, output, symbol, from, to = ...
local file = assert(io.open(input, "rb"))
local text = file:read("*a")
file:close()
if from then
    local _, a = text:find(from, 1, true)
    local b = a and text:find(to, a, true)
    assert(b, input .. ": the marks '" .. from .. "' and '" .. to .. "' are not there")
    a = text:find("\n", a, true)
    text = text:sub(a + 1, b - 1)
end
local out = {
    "/* made from " .. input:match("[^/\\]+$") .. " by embed.lua */\n",
    "extern const char ", symbol, "[];\nextern const unsigned ", symbol, "_bytes;\n",
    "const char ", symbol, "[] = {",
}
for i = 1, #text do
    if i % 24 == 1 then out[#out + 1] = "\n" end
    -- As characters a byte over 127 would not fit a signed char.
    local byte = text:byte(i)
    out[#out + 1] = (byte > 127 and byte - 256 or byte) .. ","
end
out[#out + 1] = "\n0};\nconst unsigned " .. symbol .. "_bytes = " .. #text .. ";\n"
file = assert(io.open(output, "wb"))
file:write(table.concat(out))
file:close()
