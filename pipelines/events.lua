-- events.lua: the events of a trace, a row each, the payload decoded where its fields are known.
local fields_of_events = { "time", "provider", "event", "id", "version", "level", "pid", "tid", "cpu", "bytes", "payload" }

-- "a, b" as { "a", "b" }; a name with blanks or commas stands in backquotes
local function list_of(words)
  local list = {}
  words = words:gsub("`(.-)`", function(name) return (name:gsub("[ ,]", { [" "] = "\1", [","] = "\2" })) end)
  for word in words:gmatch "[^,%s]+" do
    list[#list + 1] = (word:gsub("[\1\2]", { ["\1"] = " ", ["\2"] = "," }))
  end
  return list
end

return pipeline "events" {
  help = "The events of a trace as a table, one a row of equal columns (to read all fields: dump)",
  example = "boot.etl --where \"event == 'Read' and TransferSize >= 64KiB\" --limit 20 --format text",
  args = {
    { "trace",  file { "an .etl file, or an archive or folder of them; several are read as one trace", many = true } },
    { "where",  string { optional = true, help = "only events for which this holds, like " ..
                         "\"pid == 4 and event == 'Read'\"; see help expressions" } },
    { "fields", string { optional = true, help = "columns, like time,name,pid,TransferSize; all events have: " ..
                         "time provider event name id version opcode level keyword pid tid cpu bytes payload raw " ..
                         "(help columns tells more)" } },
    { "from",   string { optional = true, help = "begin there: 1.5s from the start of the trace, or a moment in UTC" } },
    { "to",     string { optional = true, help = "stop there, likewise" } },
    { "limit",  number(0, 0), "stop after so many events; 0: all" },
    { "format", choice { "csv", "ndjson", "text", default = "csv", help = "how to write them" } },
    { "out",    string { "-", help = "the file to write; one that ends in .zst is compressed" } },
    { "manifest", file { many = true, optional = true, help = "manifests (.man) of providers, or folders of them" } },
    { "tmf",      file { many = true, optional = true, help = ".tmf files for WPP events, or folders of them" } },
  },

  chain = function(args)
    local function named(list) return list and #list > 0 and list or nil end
    local columns = { as = "events" }
    for i, name in ipairs(args.fields and list_of(args.fields) or fields_of_events) do columns[i] = name end
    return {
      etl.read { file = args.trace, manifest = named(args.manifest), tmf = named(args.tmf) },
      (args.from or args.to) and between { from = args.from, to = args.to },
      args.where and where(args.where),
      args.limit > 0 and limit { n = args.limit },
      fields(columns),
      args.format == "csv" and csv.write { to = args.out }
        or args.format == "ndjson" and json.write { to = args.out }
        or text.grid { to = args.out },
    }
  end,
}
