-- info.lua: what a trace is, what it holds, what was lost and what is missing, for people or as one JSON document.
return pipeline "info" {
  help = "What a trace is, what it holds, what makes it big, what was lost, and what is missing to decode it",
  example = "boot.etl --json",
  args = {
    { "trace",    file { "an .etl file, or an archive or folder of them; several are read as one trace", many = true } },
    { "json",     flag "one JSON document instead of text" },
    { "top",      number(20, 0), "rows of each table to show in text; 0: all" },
    { "manifest", file { many = true, optional = true, help = "manifests (.man) of providers, or folders of them" } },
    { "tmf",      file { many = true, optional = true, help = ".tmf files for WPP events, or folders of them" } },
  },

  chain = function(args)
    local function named(list) return list and #list > 0 and list or nil end
    local read = etl.read { file = args.trace, tables = true, manifest = named(args.manifest), tmf = named(args.tmf) }
    if args.json then
      return {
        read,
        count { by = { "provider=key", "id", "version", "name" }, sum = { "bytes=bytes" }, as = "counts", sort = "key" },
        json.write {
          document = true,
          put = {
            "trace_header=header", "trace_total=.", "trace_lost=lost", "trace_skipped=skipped[]", "counts=by_event[]",
            "trace_schemas=schemas[]", "trace_losses=losses[]", "trace_clocks=clocks[]",
          },
        },
      }
    end
    return {
      read,
      count { by = { "provider" }, sum = { "bytes=bytes" }, as = "providers", sort = "sum", share = true },
      count { by = { "provider", "event" }, sum = { "bytes=bytes" }, as = "events", sort = "sum", share = true },
      text.grid {
        rows = args.top, empty = false, fold = 120,
        columns = {
          "trace_schemas=provider decoded_by types events hint",
          "trace_losses=session cpu what after before offset",
          "trace_clocks=session fact at by",
        },
      },
    }
  end,
}
