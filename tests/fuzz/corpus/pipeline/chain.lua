return pipeline "c" { args = { {"s", span "5ms"}, {"t", time "0s"}, {"g", flag ""} },
  chain = function(args)
    local list = { etl.read { file = "f", over = args.s } }
    for i = 1, 3 do list[#list + 1] = where("id == " .. i) end
    local ok, why = pcall(function() return io end)
    return list
  end }
