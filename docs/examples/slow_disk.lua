-- slow_disk.lua: slow disk reads of a trace, by the filter that slow_disk.c makes.
return pipeline "slow_disk" {
  help = "Disk reads that took longer than a limit",
  args = {
    { "trace", file "an .etl file" },
    { "over",  span { "10ms", help = "how slow is slow" } },
  },

  etl.read       { file = args.trace },
  slow_disk.keep { over = args.over },
  where          "name == 'DiskIo/Read'",
  fields         { "time", "tid=IssuingThreadId", "TransferSize", "took=HighResResponseTime" },
  csv.write      {},
}
