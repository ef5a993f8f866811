-- dump.lua: the events of a trace to read, a line each, or as JSON with their fields nested as they are.

-- "a, b" as { "a", "b", as = "events" }; a name with blanks or commas stands in backquotes
local function columns_of(words)
  local list = { as = "events" }
  words = words:gsub("`(.-)`", function(name) return (name:gsub("[ ,]", { [" "] = "\1", [","] = "\2" })) end)
  for word in words:gmatch "[^,%s]+" do
    list[#list + 1] = (word:gsub("[\1\2]", { ["\1"] = " ", ["\2"] = "," }))
  end
  return list
end

-- Nothing where none are named.
local function named(list) return list and #list > 0 and list or nil end

-- Some columns, as a table.
local function table_of(args)
  local columns = "time,provider,event,id,version,level,pid,tid,cpu,bytes,payload"
  return fields(columns_of(args.fields or columns)),
    args.format == "csv" and csv.write { to = args.out }
      or args.format == "ndjson" and json.write { to = args.out }
      or text.grid { to = args.out }
end

return pipeline "dump" {
  help = "Show events with all of their fields, a line each (for a table of some columns: events)",
  example = "boot.etl --where \"event == 'Read' and TransferSize >= 64KiB\" --limit 20",
  args = {
    { "trace",    file { "an .etl file, or an archive or folder of them; several are read as one trace", many = true } },
    { "where",    string { optional = true, help = "only events for which this holds, like " ..
                           "\"pid == 4 and event == 'Read'\"; see help expressions" } },
    { "from",     string { optional = true, help = "begin there: 1.5s from the start of the trace, or a moment in UTC" } },
    { "to",       string { optional = true, help = "stop there, likewise" } },
    { "limit",    number(0, 0), "stop after so many events; 0: all" },
    { "format",   choice { "text", "ndjson", "csv", default = "text", help = "how to write them" } },
    { "fields",   string { optional = true, help = "only these columns, like time,name,pid,TransferSize" } },
    { "out",      string { "-", help = "the file to write; one that ends in .zst is compressed" } },
    { "manifest", file { many = true, optional = true, help = "manifests (.man) of providers, or folders of them" } },
    { "tmf",      file { many = true, optional = true, help = ".tmf files for WPP events, or folders of them" } },
    { "keywords", flag "show keywords" },
    { "activity", flag "show the ids of activities" },
    { "stacks",   flag "show stacks that were recorded with events: addresses" },
    { "numbers",  flag "in ndjson, write integers as decimal numbers, whatever names their values have" },
  },

  chain = function(args)
    local shown = { to = args.out, keywords = args.keywords, activity = args.activity, stacks = args.stacks }
    local chain = { -- what is not asked for leaves a gap, which is skipped
      etl.read { file = args.trace, manifest = named(args.manifest), tmf = named(args.tmf) },
      (args.from or args.to) and between { from = args.from, to = args.to },
      args.where and where(args.where),
      args.limit > 0 and limit { n = args.limit },
    }
    local around = args.keywords and "keywords" or args.activity and "activity" or args.stacks and "stacks"
    if around and (args.fields or args.format == "csv") then
      error("--" .. around .. " goes with whole events, as text or ndjson; for a table name columns, like " ..
            "--fields time,keywords,activity", 0)
    end
    if args.numbers and (args.fields or args.format ~= "ndjson") then
      error("--numbers goes with whole events as ndjson: --format ndjson", 0)
    end
    if not args.fields and args.format == "text" then
      chain[5] = text.events(shown)
    elseif not args.fields and args.format == "ndjson" then
      shown.numbers = args.numbers
      chain[5] = json.events(shown)
    else
      chain[5], chain[6] = table_of(args)
    end
    return chain
  end,
}
