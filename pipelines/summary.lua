-- summary.lua: what is in a trace, on one screen.
return pipeline "summary" {
  help = "What is in a trace, on one screen: how much, how long, by whom, and what was lost",
  example = "boot.etl --top 20",
  args = {
    { "trace", file { "an .etl file, or an archive or folder of them; several are read as one trace", many = true } },
    { "top",   number(8, 1), "lines of each table; all others are added up in one without a name" },
  },

  etl.read  { file = args.trace, tables = true },
  drop      { tables = { "trace_header", "trace_total", "trace_lost", "trace_schemas", "trace_losses" } },
  count     { by = { "provider" }, as = "providers", n = args.top, share = true },
  count     { by = { "provider", "event", "id", "version" }, as = "events", n = args.top, share = true },
  count     { by = { "pid" }, as = "processes", n = args.top, share = true },
  text.grid {
    empty = false, fold = 120,
    columns = {
      "providers=provider events=count %=share", "events=provider event id version events=count %=share",
      "processes=pid events=count %=share",
    },
  },
}
