{{- define "name" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels that select the pods of a part: (dict "root" $ "part" "apiserver"). */}}
{{- define "selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "labels" -}}
{{ include "selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "name" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{/* Names of Secrets: those that the values name, or those of secrets.yaml. */}}
{{- define "servingSecret" -}}{{ .Values.tls.secretName | default (printf "%s-serving" (include "name" .)) }}{{- end -}}
{{- define "accountsSecret" -}}{{ .Values.serviceAccounts.secretName | default (printf "%s-accounts" (include "name" .)) }}{{- end -}}
{{- define "tokensSecret" -}}{{ .Values.auth.tokensSecretName | default (printf "%s-tokens" (include "name" .)) }}{{- end -}}
{{- define "controllersSecret" -}}{{ .Values.controllers.clientConfigSecretName | default (printf "%s-controllers" (include "name" .)) }}{{- end -}}
{{- define "etcdSecret" -}}{{ .Values.etcd.tlsSecretName | default (printf "%s-etcd" (include "name" .)) }}{{- end -}}

{{/* "true" if the chart makes tokens for the administrator, or for the controllers. */}}
{{- define "makesAdmin" -}}{{ if and .Values.auth.adminToken (not .Values.auth.tokensSecretName) }}true{{ end }}{{- end -}}
{{- define "makesControllers" -}}
{{- if and .Values.controllers.enabled (not .Values.controllers.clientConfigSecretName) }}true{{ end }}
{{- end -}}
{{- define "usesTokens" -}}
{{- if or .Values.auth.tokensSecretName (include "makesAdmin" .) (include "makesControllers" .) }}true{{ end }}
{{- end -}}
{{- define "usesEtcdTls" -}}{{ if or .Values.etcd.enabled .Values.etcd.tlsSecretName }}true{{ end }}{{- end -}}

{{- define "etcdServers" -}}
{{- if .Values.etcd.enabled -}}
https://{{ include "name" . }}-etcd.{{ .Release.Namespace }}.svc:2379
{{- else -}}
{{ join "," .Values.etcd.servers }}
{{- end -}}
{{- end -}}

{{- define "url" -}}
https://{{ include "name" . }}.{{ .Release.Namespace }}.svc:{{ .Values.service.port }}
{{- end -}}

{{/* What pods of every part have: (dict "root" $ "part" "apiserver"), and "annotations" of their own. */}}
{{- define "podMetadata" -}}
labels:
  {{- include "labels" . | nindent 2 }}
  {{- with .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.annotations | default dict) .root.Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The users of the generated tokens. */}}
{{- define "tokenUsers" -}}
{{- if not .Values.auth.tokensSecretName -}}
{{- $admin := include "makesAdmin" . | empty | ternary "" "admin" -}}
{{- $controllers := include "makesControllers" . | empty | ternary "" "controllers" -}}
{{- compact (list $admin $controllers) | join "," -}}
{{- end -}}
{{- end -}}

{{- define "podSettings" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end -}}

{{/* By default pods of a part are on different nodes where they can be: (dict "root" $ "part" "apiserver"). */}}
{{- define "affinity" -}}
affinity:
  {{- with .root.Values.affinity }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "selector" . | nindent 14 }}
  {{- end }}
{{- end -}}

{{/* Refuses values that contradict each other, or that would leave pods which never become ready. */}}
{{- define "checkValues" -}}
{{- if not (regexMatch "^[a-z]" (include "name" .)) -}}
{{- fail (printf "%s is no name of a Service, which begins with a letter: set fullnameOverride" (include "name" .)) -}}
{{- end -}}
{{- range $label, $_ := .Values.podLabels -}}
{{- if hasKey (include "labels" (dict "root" $ "part" "") | fromYaml) $label -}}
{{- fail (printf "podLabels: the chart sets %s" $label) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.auth.tokensSecretName (include "makesControllers" .) -}}
{{- fail "auth.tokensSecretName: the controllers need controllers.clientConfigSecretName too, with one of its tokens" -}}
{{- end -}}
{{- $own := list "identifiers" "store" "storage-endpoint" "etcd-servers" "etcd-prefix" "etcd-cafile" "etcd-certfile" -}}
{{- $own = concat $own (list "etcd-keyfile" "bind-address" "secure-port" "tls-cert-file" "tls-private-key-file") -}}
{{- $own = concat $own (list "token-auth-file" "client-ca-file" "authorization-mode" "service-account-signing-key-file") -}}
{{- $own = concat $own (list "service-account-issuer" "workers" "shutdown-delay-duration" "cert-dir") -}}
{{- range .Values.extraFlags -}}
{{- $flag := trimPrefix "--" (first (splitList "=" .)) -}}
{{- if has $flag $own -}}
{{- fail (printf "extraFlags: the chart sets --%s from other values" $flag) -}}
{{- end -}}
{{- if eq . "--anonymous-auth=false" -}}
{{- fail "extraFlags: --anonymous-auth=false refuses the probes of the pods, which have no credential" -}}
{{- end -}}
{{- end -}}
{{- range .Values.controllers.extraFlags -}}
{{- $flag := trimPrefix "--" (first (splitList "=" .)) -}}
{{- if has $flag (list "identifiers" "clientconfig" "bind-address" "health-port" "service-account-private-key-file") -}}
{{- fail (printf "controllers.extraFlags: the chart sets --%s from other values" $flag) -}}
{{- end -}}
{{- end -}}
{{- end -}}
