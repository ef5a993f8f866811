-- info.lua: what a trace is, what was lost, what is missing to decode it and what makes it big, for people or as JSON.
return pipeline "info" {
  help = "What a trace is, what was lost, what is missing to decode it, and what makes it big",
  example = "boot.etl --json",
  args = {
    { "trace",    file { "an .etl file, or an archive or folder of them; several are read as one trace", many = true } },
    { "json",     flag "one JSON document instead of text" },
    { "top",      number(10, 0), "rows of each table to show in text; 0: all" },
    { "full",     flag "in text, also the headers of the sessions and by what events were decoded" },
    { "manifest", file { many = true, optional = true, help = "manifests (.man) of providers, or folders of them" } },
    { "tmf",      file { many = true, optional = true, help = ".tmf files for WPP events, or folders of them" } },
  },

  chain = function(args)
    local function named(list) return list and #list > 0 and list or nil end
    local read = etl.read { file = args.trace, tables = true, manifest = named(args.manifest), tmf = named(args.tmf) }
    if args.json then
      return {
        read,
        drop { tables = { "trace_summary" } }, -- words, for people
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
    local left_out = { "trace_total", "trace_lost" }
    if not args.full then
      left_out = { "trace_header", "trace_total", "trace_lost", "trace_schemas" }
    end
    local columns = { -- bytes are those of payloads
      "trace_losses=session cpu what after before offset",
      "trace_clocks=session fact at by",
      "providers=provider payload_bytes=bytes %=bytes_share events=count %=share",
      "events=provider event payload_bytes=bytes %=bytes_share events=count %=share",
    }
    if args.full then
      columns[5] = "trace_schemas=provider decoded_by types events bytes hint"
    end
    return {
      read,
      drop { tables = left_out },
      count { by = { "provider" }, sum = { "bytes=bytes" }, as = "providers", sort = "sum", share = true },
      count { by = { "provider", "event" }, sum = { "bytes=bytes" }, as = "events", sort = "sum", share = true },
      text.grid { rows = args.top, empty = false, fold = 120, columns = columns },
    }
  end,
}
