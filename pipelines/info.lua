-- info.lua: what a trace is, what it holds, and what was lost, for people or as one JSON document.
return pipeline "info" {
  help = "What a trace is, what it holds and what was lost",
  example = "boot.etl --json",
  args = {
    { "trace", file { "an .etl file; several are read as one trace", many = true } },
    { "json",  flag "one JSON document instead of text" },
    { "top",   number(20, 0), "types of events to show in text; 0: all" },
  },

  chain = function(args)
    local read = etl.read { file = args.trace, tables = true }
    if args.json then
      return {
        read,
        count      { by = { "provider=key", "id", "version", "name" }, as = "counts", sort = "key" },
        json.write {
          document = true,
          put = { "trace_header=header", "trace_total=.", "trace_lost=lost", "trace_skipped=skipped[]", "counts=by_event[]" },
        },
      }
    end
    return {
      read,
      count     { by = { "provider", "event", "id", "version" }, as = "events", sort = "count" },
      text.grid { rows = args.top, empty = false },
    }
  end,
}
