return pipeline "b" {
  args = { {"f", file { "traces", many = true }}, {"n", number(5, 1, 10)}, {"c", choice { "a", "b" }}, {"more", rest ""} },
  merge { etl.read { file = args.f }, { etl.read { "x" .. args.c }, where "pid == args.n" } },
  thread { size = 4, shed = { "PerfInfo/*" } },
  tee { { fields { "time", "pid" }, csv.write {} }, { count { by = { "provider" } } } },
  null {},
}
