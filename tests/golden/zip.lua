-- zip.lua - makes a .zip of stored files, any names: luajit zip.lua OUT NAME=FILE …
local bit = require "bit"

local crcs = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do c = bit.band(c, 1) == 1 and bit.bxor(bit.rshift(c, 1), 0xEDB88320) or bit.rshift(c, 1) end
  crcs[i] = c
end

local function crc32(bytes)
  local c = -1
  for i = 1, #bytes do c = bit.bxor(bit.rshift(c, 8), crcs[bit.band(bit.bxor(c, bytes:byte(i)), 255)]) end
  return bit.bnot(c)
end

local function u16(v) return string.char(bit.band(v, 255), bit.band(bit.rshift(v, 8), 255)) end
local function u32(v) return u16(bit.band(v, 0xFFFF)) .. u16(bit.rshift(v, 16)) end

local parts, directory, at = {}, {}, 0
for i = 2, #arg do
  local name, path = arg[i]:match "^(.-)=(.*)$"
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  -- version, flags (names are UTF-8), stored, time, date, checksum, both sizes, length of the name, none of extra fields
  local facts = u16(20) .. u16(0x800) .. u16(0) .. u16(0) .. u16(0x5C21) .. u32(crc32(bytes)) ..
    u32(#bytes) .. u32(#bytes) .. u16(#name) .. u16(0)
  local part = "PK\3\4" .. facts .. name .. bytes
  directory[#directory + 1] = "PK\1\2" .. u16(20) .. facts .. u16(0) .. u16(0) .. u16(0) .. u32(0) .. u32(at) .. name
  parts[#parts + 1] = part
  at = at + #part
end
local listed = table.concat(directory)
local out = assert(io.open(arg[1], "wb"))
out:write(table.concat(parts), listed, "PK\5\6", u32(0), u16(#directory), u16(#directory))
out:write(u32(#listed), u32(at), u16(0))
out:close()
