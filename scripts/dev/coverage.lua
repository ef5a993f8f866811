-- coverage.lua - writes docs/coverage.md: what each event of the real traces is decoded by, and what is left over.
-- usage: luajit coverage.lua TRACEWEIR FOLDER > docs/coverage.md
--
-- One idea: the program says for each type of event what its fields cover; whatever it does not decode exactly must be
-- explained, by its own reason or by a note below, or this script fails.

local program, folder = ...
if not folder then
  io.stderr:write("usage: luajit coverage.lua TRACEWEIR FOLDER\n")
  os.exit(2)
end

-- Why bytes are left over, or a field is cut short, where a layout is known: trace, provider, id, and the reason.
local notes = {
  { "sawbuck", "Image", nil, "the file's producer ran in 32 bits and wrote the payload of a 64-bit system under its header: fields are read by the header" },
  { "sawbuck", "Process", nil, "the file's producer ran in 32 bits and wrote the payload of a 64-bit system under its header: fields are read by the header" },
  { "", "PerfView", 13, "the EventSource writes 4 bytes more than its own manifest says" },
  { "GCAnalysisExamples", "Microsoft-Windows-DotNETRuntime", 205, "the machine's schema is of an older .NET than the program's: the runtime added fields to this version" },
}

local function note_for(trace, provider, id)
  for _, n in ipairs(notes) do
    if trace:find(n[1], 1, true) and provider == n[2] and (not n[3] or n[3] == tonumber(id)) then return n[4] end
  end
end

-- ---- Asking the program ----

local function quoted(s) return "'" .. s:gsub("'", "'\\''") .. "'" end

local function lines_of(command)
  local pipe = assert(io.popen(command))
  local lines = {}
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

-- Cells of a CSV line.
local function cells_of(line)
  local cells, at = {}, 1
  while at <= #line + 1 do
    local cell, next_at
    if line:sub(at, at) == '"' then
      local from = at + 1
      local stop = from
      repeat
        stop = line:find('"', stop, true)
        local doubled = line:sub(stop + 1, stop + 1) == '"'
        stop = stop + (doubled and 2 or 0)
      until not doubled
      cell, next_at = line:sub(from, stop - 1):gsub('""', '"'), stop + 2
    else
      local comma = line:find(",", at, true) or #line + 1
      cell, next_at = line:sub(at, comma - 1), comma + 1
    end
    cells[#cells + 1], at = cell, next_at
  end
  return cells
end

local function coverage_of(path)
  local beside = path:match("^(.*)/")
  local help = ""
  for _, what in ipairs { { "manifest", "*.man" }, { "tmf", "tmf/*.tmf" } } do
    for _, file in ipairs(lines_of(("ls %s/%s 2>/dev/null"):format(quoted(beside), what[2]))) do
      help = help .. (" --%s %s"):format(what[1], quoted(file))
    end
  end
  local lines = lines_of(("%s coverage --format csv%s %s 2>/dev/null"):format(quoted(program), help, quoted(path)))
  if not lines[1] then return end
  local names, rows = cells_of(lines[1]), {}
  for i = 2, #lines do
    local row = {}
    for c, cell in ipairs(cells_of(lines[i])) do row[names[c]] = cell end
    rows[#rows + 1] = row
  end
  return rows
end

-- ---- Counting ----

local function kind_of(row)
  if row.origin == "" then return "raw" end
  if row.origin:find("in the event", 1, true) then return "event" end
  if row.origin:find("in the trace", 1, true) then return "trace" end
  if row.origin:find("built in", 1, true) then return "built" end
  return "user"
end

local function is_exact(row)
  return row.origin ~= "" and row.left == "0" and row.cut == "0" and not row.origin:find("(version", 1, true)
end

local function thousands(n)
  local s = tostring(n)
  repeat
    local k
    s, k = s:gsub("^(%d+)(%d%d%d)", "%1 %2")
  until k == 0
  return s
end

local failed = false
local function explanation(trace, row)
  if row.why ~= "" then return row.why end
  local note = note_for(trace, row.provider, row.id)
  if not note then
    io.stderr:write(("%s: %s/%s version %s is not decoded exactly, and no note says why\n"):format(trace, row.provider,
      row.event, row.version))
    failed = true
  end
  return note or "?"
end

-- ---- Writing ----

local traces = {}
for _, path in ipairs(lines_of(("find %s -name '*.etl' -o -name '*.etl.zst' | LC_ALL=C sort"):format(quoted(folder)))) do
  local rows = coverage_of(path)
  if rows and rows[1] then traces[#traces + 1] = { name = path:sub(#folder + 2), rows = rows } end
end

local sum = { events = 0, exact = 0, types = 0, exact_types = 0 }
local summary, inexact, details = {}, {}, {}
for _, trace in ipairs(traces) do
  local n = { events = 0, exact = 0, event = 0, trace = 0, user = 0, built = 0, raw = 0 }
  details[#details + 1] = ("\n<details><summary>%s</summary>\n\n"):format(trace.name)
    .. "| event | id | version | events | bytes | decoded by | left over |\n| --- | ---: | ---: | ---: | ---: | --- | ---: |"
  for _, row in ipairs(trace.rows) do
    local events = tonumber(row.count)
    n.events = n.events + events
    n[kind_of(row)] = n[kind_of(row)] + events
    sum.types = sum.types + 1
    details[#details + 1] = ("| %s/%s | %s | %s | %s | %s | %s | %s |"):format(row.provider, row.event, row.id, row.version,
      thousands(events), thousands(row.bytes), row.origin ~= "" and row.origin or "-", row.left == "0" and "" or thousands(row.left))
    if is_exact(row) then
      n.exact = n.exact + events
      sum.exact_types = sum.exact_types + 1
    else
      inexact[#inexact + 1] = ("| %s | %s/%s | %s | %s | %s | %s | %s |"):format(trace.name, row.provider, row.event, row.id,
        row.version, thousands(events), thousands(row.left), explanation(trace.name, row))
    end
  end
  details[#details + 1] = "\n</details>"
  sum.events, sum.exact = sum.events + n.events, sum.exact + n.exact
  summary[#summary + 1] = ("| %s | %s | %.2f | %s | %s | %s | %s | %s |"):format(trace.name, thousands(n.events),
    100 * n.exact / n.events, thousands(n.event), thousands(n.trace), thousands(n.user), thousands(n.built), thousands(n.raw))
end

print(("# Coverage\n\nMade by `scripts/dev/coverage.sh` from the real traces that the tests read; they are not part of the project.\n\n"
  .. "An event is decoded exactly when a schema of its very version covers every byte of its payload. Of %s events in %d traces %s are, that is %.2f %%;\n"
  .. "of their types, counted for each trace, %s of %s.\n"):format(thousands(sum.events), #traces, thousands(sum.exact),
  100 * sum.exact / sum.events, thousands(sum.exact_types), thousands(sum.types)))
print("## By trace\n\nEvents by what they were decoded by. User: a manifest or TMF files that lie beside the trace.\n")
print("| trace | events | exact, % | in the event | in the trace | user | built in | raw |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
print(table.concat(summary, "\n"))
print("\n## Not decoded exactly\n\n| trace | event | id | version | events | bytes left | why |\n| --- | --- | ---: | ---: | ---: | ---: | --- |")
print(table.concat(inexact, "\n"))
print("\n## Every type of event")
print(table.concat(details, "\n"))
os.exit(failed and 1 or 0)
