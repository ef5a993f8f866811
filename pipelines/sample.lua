-- sample.lua: a made-up kernel trace to try things on.
return pipeline "sample" {
  help = "Make a sample .etl file: processes, threads, images, CPU samples and disk I/O",
  example = "sample.etl --seed 7 --length 60s",
  args = {
    { "out",    string { help = "the .etl file to write; one that ends in .zst is compressed" } },
    { "seed",   number(1), "equal numbers make equal traces" },
    { "length", span { "10s", help = "time from the first event to the last" } },
    { "rate",   number(10000, 1), "events in a second, about" },
    { "cpus",   number(4, 1), "processors of the machine" },
  },

  synth.kernel { seed = args.seed, length = args.length, rate = args.rate, cpus = args.cpus },
  etl.write    { to = args.out },
}
