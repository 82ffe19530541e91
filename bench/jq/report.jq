# report.jq - the sums of a log of events, and a line for each selected record
def level: if . >= 500 then "error" elif . >= 400 then "denied" else "fine" end;

def path_of: split("/") | map(select(length > 0)) | .[:2] | join("/");

select(.size > 100)
| {
	user: (.user.name | ascii_upcase),
	path: (.request | path_of),
	level: (.status | level),
	tags: ([.tags[] | select(startswith("t"))] | sort | unique),
	mean: ((.times | add) / (.times | length) | floor),
	worst: (.times | max),
	groups: (.user.groups | map({ (.name): .id }) | add)
  }
| . + { key: "\(.user):\(.path):\(.level)" }
