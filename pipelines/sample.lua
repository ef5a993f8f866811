-- sample.lua: a made-up kernel trace to try things on, and what is true of it.
return pipeline "sample" {
  help = "Make a sample .etl file: a computer at work, as its kernel would have recorded it",
  example = "sample.etl --seed 7 --length 60s --truth sample.ndjson",
  args = {
    { "out",     string { help = "the .etl file to write; one that ends in .zst is compressed" } },
    { "seed",    number(1), "equal numbers make equal traces" },
    { "profile", choice { "small", "server80", default = "small", help = "server80: a busy server, 1.1 GB" } },
    { "length",  span { optional = true, help = "time from the first event to the last; 10s, of server80 11.7s" } },
    { "rate",    number { optional = true, min = 1, help = "events in a second, about; 10000, of server80 245000" } },
    { "cpus",    number { optional = true, min = 1, help = "processors of the machine; 4, of server80 80" } },
    { "build",   choice { "win10", "win11", "win8", "win7", "vista", "xp", "2000", default = "win10",
                          help = "the Windows whose events they are" } },
    { "pointer", choice { "8", "4", default = "8", help = "bytes of a pointer" } },
    { "truth",   string { optional = true, help = "a file for what an analysis must find: JSON, an object a line" } },
  },

  synth.kernel { seed = args.seed, profile = args.profile, length = args.length, rate = args.rate, cpus = args.cpus,
                 build = args.build, pointer = args.pointer, truth = args.truth },
  etl.write    { to = args.out },
}
