{{/*
Refuses values that nobody knows, and says which one was meant. helm's own schema does not: it would be asked first.
*/}}
{{- define "zonekeeper.checkValues" -}}
{{- $known := .Files.Get "files/known-values.json" | fromJson -}}
{{- $state := dict "problems" list -}}
{{- include "zonekeeper.checkKeys" (dict "values" .Values "known" $known.values "path" "" "configuration" $known.configuration "state" $state) -}}
{{- include "zonekeeper.checkConfiguration" (dict "values" (.Values.configuration | default dict) "keys" $known.configuration "state" $state) -}}
{{- if $state.problems -}}
{{- fail (printf "\n\n%s\n" (join "\n" $state.problems)) -}}
{{- end -}}
{{- end -}}

{{- define "zonekeeper.checkKeys" -}}
{{- range $key, $value := .values -}}
{{- $there := index $.known $key -}}
{{- $at := printf "%s%s" $.path $key -}}
{{- if not $there -}}
{{- $meant := include "zonekeeper.nearest" (dict "key" $key "among" (keys $.known)) -}}
{{- $option := include "zonekeeper.nearest" (dict "key" $key "among" (concat (keys $.configuration.options) (keys $.configuration.aliases)) "exactly" true) -}}
{{- $here := index $.configuration.elsewhere (trimSuffix "s" $key) -}}
{{- $said := "deploy/chart/values.yaml has them all" -}}
{{- if $option -}}{{- $said = printf "did you mean configuration.%s?" $option -}}
{{- else if $here -}}{{- $said = printf "external-dns has it; here it is %s" $here -}}
{{- else if $meant -}}{{- $said = printf "did you mean %s%s?" $.path $meant -}}
{{- end -}}
{{- $_ := set $.state "problems" (append $.state.problems (printf "there is no value %s: %s" $at $said)) -}}
{{- else if and (kindIs "map" $there) (kindIs "map" $value) -}}
{{- include "zonekeeper.checkKeys" (dict "values" $value "known" $there "path" (printf "%s." $at) "configuration" $.configuration "state" $.state) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "zonekeeper.checkConfiguration" -}}
{{- $isGardener := eq (toString (index .values "dialect")) "gardener" -}}
{{- $ours := concat (keys .keys.options) (keys .keys.aliases) -}}
{{- range $key, $value := .values -}}
{{- $problem := "" -}}
{{- if has $key $.keys.secrets -}}
{{- $problem = printf "it is a secret, and a ConfigMap shows it: put it into a Secret, and say so by extraEnv or by configuration.%sFile with extraVolumes" $key -}}
{{- else if and (not $isGardener) (kindIs "string" $value) (empty (trim (toString $value))) -}}
{{- $problem = "it is empty; give a value or leave it out" -}}
{{- else if hasKey $.keys.options $key -}}
{{- else if hasKey $.keys.aliases $key -}}
{{- if hasKey $.values (index $.keys.aliases $key) -}}
{{- $problem = printf "it is the same as configuration.%s; give one of them" (index $.keys.aliases $key) -}}
{{- end -}}
{{- else if hasKey $.keys.gardener $key -}}
{{- if not $isGardener -}}{{- $problem = "it is an option of Gardener's DNS controller manager: to take those, set configuration.dialect to gardener" -}}{{- end -}}
{{- else -}}
{{- $asked := $key -}}
{{- if and (kindIs "map" $value) $value -}}{{- $asked = print $key (keys $value | sortAlpha | first) -}}{{- end -}}
{{- $meant := include "zonekeeper.nearest" (dict "key" $asked "among" (ternary (concat $ours (keys $.keys.gardener)) $ours $isGardener)) -}}
{{- $here := index $.keys.elsewhere (trimSuffix "s" $key) -}}
{{- if $here -}}{{- $problem = printf "external-dns has it; here it is %s" $here -}}
{{- else if $meant -}}{{- $problem = printf "there is no such option: did you mean configuration.%s?" $meant -}}
{{- else -}}{{- $problem = "there is no such option; docs/reference/options.md has them all" -}}
{{- end -}}
{{- end -}}
{{- if $problem -}}
{{- $_ := set $.state "problems" (append $.state.problems (printf "configuration.%s: %s" $key $problem)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
The one of `among` that `key` was meant as: few letters differ, or one begins with the other; empty = there is none.
`exactly`: but for case, dashes and dots.
*/}}
{{- define "zonekeeper.nearest" -}}
{{- $key := regexReplaceAll "[^a-z0-9]" (lower .key) "" -}}
{{- $best := dict "far" (ternary 1 (add 1 (max 2 (div (len $key) 4))) (eq true (index . "exactly"))) "name" "" -}}
{{- range .among | sortAlpha -}}
{{- $one := regexReplaceAll "[^a-z0-9]" (lower .) "" -}}
{{- $apart := sub (len $key) (len $one) -}}
{{- if lt (int (max $apart (mul -1 $apart))) (int $best.far) -}}
{{- $far := include "zonekeeper.distance" (list $key $one) | int -}}
{{- if lt $far (int $best.far) -}}
{{- $_ := set $best "far" $far -}}{{- $_ := set $best "name" . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (not $best.name) (not (index . "exactly")) (ge (len $key) 4) -}}
{{- range .among | sortAlpha -}}
{{- $one := regexReplaceAll "[^a-z0-9]" (lower .) "" -}}
{{- $stem := trimSuffix "s" $key -}}
{{- if and (not $best.name) (or (hasPrefix $stem $one) (and (ge (len $one) 4) (hasPrefix $one $key))) -}}{{- $_ := set $best "name" . -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- $best.name -}}
{{- end -}}

{{/* Letters to change, add or leave out to make one text of the other (Levenshtein). */}}
{{- define "zonekeeper.distance" -}}
{{- $b := splitList "" (index . 1) -}}
{{- $state := dict "before" (untilStep 0 (int (add 1 (len $b))) 1) -}}
{{- range $i, $letter := splitList "" (index . 0) -}}
{{- $now := list (add1 $i) -}}
{{- $left := add1 $i -}}
{{- range $j, $wanted := $b -}}
{{- $change := add (index $state.before $j) (ternary 0 1 (eq $letter $wanted)) -}}
{{- $left = min $change (add1 (index $state.before (int (add1 $j)))) (add1 $left) -}}
{{- $now = append $now $left -}}
{{- end -}}
{{- $_ := set $state "before" $now -}}
{{- end -}}
{{- last $state.before -}}
{{- end -}}
