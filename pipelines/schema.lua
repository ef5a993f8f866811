-- schema.lua: what events are made of: an overview of their types, or the fields of those that are named.

local overview = { "provider", "event", "id", "version", "fields", "events", "bytes", "origin", "why" }

-- Nothing where none are named.
local function named(list) return list and #list > 0 and list or nil end

local function is_file(word)
  local file = not word:find "%*" and io.open(word, "rb")
  if file then file:close() end
  return file or word:find "%.etl$" or word:find "%.etl%."
end

-- Words that name no file are names of providers and events.
local function sorted(words, known)
  local files, names = {}, {}
  for _, word in ipairs(words) do
    local list = not known and is_file(word) and files or names
    list[#list + 1] = word
  end
  return files, names
end

return pipeline "schema" {
  help = "What the events of a trace are made of, and which schema says so; or what is known of an event",
  example = "boot.etl DiskIo/Read",
  args = {
    { "what",     string { many = true, optional = true,
                           help = ".etl files; then PROVIDER or EVENT for types, PROVIDER/EVENT or /EVENT for their " ..
                                  "fields, * for anything" } },
    { "known",    flag "what is known without a trace" },
    { "json",     flag "one JSON document instead of text" },
    { "manifest", file { many = true, optional = true, help = "manifests (.man) of providers, or folders of them" } },
    { "tmf",      file { many = true, optional = true, help = ".tmf files for WPP events, or folders of them" } },
  },

  chain = function(args)
    local files, names = sorted(args.what or {}, args.known)
    if #files == 0 and not args.known then
      local near = names[1] and "of which trace? as in: traceweir schema boot.etl " .. names[1] ..
                   "; without one: traceweir schema --known " .. names[1]
      error(near or "of what? name a trace, as in: traceweir schema boot.etl DiskIo/Read; or ask for --known", 0)
    end
    local given = { manifest = named(args.manifest), tmf = named(args.tmf) }
    local source
    if args.known then
      source = etl.schemas(given)
    else
      given.file = files
      source = etl.read(given)
    end
    local fields = args.json
    for _, name in ipairs(names) do fields = fields or name:find("/", 1, true) end
    if args.json then
      return {
        source,
        types { of = names, all = args.known },
        json.write { document = true, put = { "types=types[]", "type_fields=fields[]" } },
      }
    elseif fields then
      return { source, types { of = names, all = args.known }, text.types {} }
    end
    return { source, types { of = names, all = args.known, columns = overview, fields = "" }, text.grid {} }
  end,
}
