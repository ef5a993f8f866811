# What a manifest says of events; what in one is not understood; what is no manifest; what is refused.
cat >disk.man <<'MAN'
<instrumentationManifest xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
 <provider name="Disk-Cache" guid="{11223344-5566-7788-99aa-bbccddeeff00}">
  <tasks><task name="Flush" value="3" message="$(string.flush)"/></tasks>
  <keywords><keyword name="Slow" mask="0x10"/></keywords>
  <maps><valueMap name="Why"><map value="0" message="$(string.full)"/><map value="1" message="$(string.timer)"/></valueMap></maps>
  <templates><template tid="Blocks">
   <data name="Reason" inType="win:UInt8" map="Why"/>
   <data name="Count" inType="win:UInt16"/>
   <struct name="Block" count="Count">
    <data name="Offset" inType="win:UInt64" outType="win:HexInt64"/>
    <data name="Length" inType="win:UInt16"/>
    <data name="Bytes" inType="win:Binary" length="Length"/></struct>
   <data name="Path" inType="win:UnicodeString"/></template></templates>
  <events><event value="7" version="1" task="Flush" opcode="win:Start" level="win:Warning" keywords="Slow"
   template="Blocks" message="$(string.event)"/></events>
 </provider>
 <stringTable><string id="flush" value="Cache flush"/><string id="full" value="full"/>
  <string id="timer" value="timer"/><string id="event" value="%2 blocks of %4 are written: %1"/></stringTable>
</instrumentationManifest>
MAN
sed -e 's/win:UInt16"\/>$/win:UInt23"\/>/' -e 's/task="Flush"/task="Fish"/' disk.man >mystery.man
printf '<!DOCTYPE m [<!ENTITY a "b">]>\n<m>&a;</m>\n' >entities.man
echo '<m><data/></m>' >no.man
$tw schema 'Disk-Cache/*' --known --manifest disk.man
$tw schema 'Disk-Cache/*' --known --manifest mystery.man 2>&1
for one in entities no missing; do $tw schema 'Disk-Cache/*' --known --manifest $one.man 2>&1 | head -1; done
