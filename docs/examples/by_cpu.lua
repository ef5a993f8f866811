-- by_cpu.lua: events and bytes of payload by processor, with the stage of by_cpu.c.
return pipeline "by_cpu" {
  help = "Events and bytes of payload by processor",
  args = { { "trace", file "an .etl file" } },

  etl.read     { file = args.trace },
  by_cpu.total {},
  csv.write    {},
}
