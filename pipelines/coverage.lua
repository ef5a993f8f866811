-- coverage.lua: how well each type of event of a trace is decoded: by what, what is left over, and why.
return pipeline "coverage" {
  help = "How well a trace is decoded: by what, bytes that no field takes (left), events that end inside a field (cut)",
  example = "boot.etl",
  args = {
    { "trace",    file { "an .etl file, or an archive or folder of them; several are read as one trace", many = true } },
    { "format",   choice { "text", "csv", "ndjson", default = "text", help = "how to write it" } },
    { "out",      string { "-", help = "the file to write" } },
    { "manifest", file { many = true, optional = true, help = "manifests (.man) of providers, or folders of them" } },
    { "tmf",      file { many = true, optional = true, help = ".tmf files for WPP events, or folders of them" } },
  },

  chain = function(args)
    local function named(list) return list and #list > 0 and list or nil end
    return {
      etl.read {
        file = args.trace, tables = args.format == "text", manifest = named(args.manifest), tmf = named(args.tmf),
      },
      count {
        by = { "provider", "event", "id", "version", "origin", "why" },
        sum = { "bytes=bytes", "left=left", "cut=cut" }, as = "coverage", sort = "sum",
      },
      args.format == "csv" and csv.write { to = args.out }
        or args.format == "ndjson" and json.write { to = args.out }
        or text.grid {
          to = args.out, of = { "trace_summary", "coverage" }, fold = 120,
          columns = {
            "trace_summary=decoded missing", "coverage=provider event id version count bytes left cut origin why",
          },
        },
    }
  end,
}
