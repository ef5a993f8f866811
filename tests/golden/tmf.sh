# What WPP messages are made of, as a TMF file tells; what is no such file, and what in one is not understood.
cat >gadget.tmf <<'TMF'
// PDB:  gadget.pdb
9b93a332-c452-3e71-64f7-55130c7de2e4 gadget // SRC=driver.c MJ= MN=
#typev driver_c77 10 "%0%!FUNC! of %10!s! gave %11!s!, %12!d! of %13!u! bytes" // LEVEL=TRACE_LEVEL_ERROR FUNC=ReadSector
{
Device->Name, ItemPWString -- 10
Irp->IoStatus.Status, ItemNTSTATUS -- 11
done, ItemLong -- 12
Parameters.Read.Length, ItemLong -- 13
}
#typev driver_c91 11 "%0power: %10!s!" // LEVEL=TRACE_LEVEL_VERBOSE FUNC=SetPower
{
on, ItemListByte(off,on) -- 10
}
TMF
printf '%s\n' '9b93a332-c452-3e71-64f7-55130c7de2e4 gadget' '#typev driver_c91 11 "%10!s! %11!s!"' '{' \
    'a, ItemLong -- 10' 'b, ItemMystery -- 11' '}' >mystery.tmf
echo 'not one' >no.tmf
$tw schema 'gadget/*' --known --tmf gadget.tmf
$tw schema 'gadget/*' --known --tmf mystery.tmf 2>&1
$tw schema 'DiskIo/Read' --known --tmf no.tmf 2>&1 | head -1
