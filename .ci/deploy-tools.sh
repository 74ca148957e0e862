#!/usr/bin/env bash
# Installs what the checks of test/deploy run: helm, kustomize, kubeconform and the k6 operator's description of its kinds. Needs Go and
# a network; without either those checks are skipped with that reason, and nothing else is. Kept in the user's cache, per version.
set -uo pipefail

HELM=v3.18.6
KUSTOMIZE=v5.6.0
KUBECONFORM=v0.6.7
K6_OPERATOR=v0.0.19

place="${BOTTLENECK_LAB_DEPLOY_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/bottleneck-lab/deploy-tools}"
mkdir -p "$place/bin"

if ! command -v go >/dev/null; then
  echo 'no Go here: helm, kustomize and kubeconform are not installed'
  exit 0
fi

# install NAME VERSION PACKAGE
install() {
  if [ "$(cat "$place/$1.version" 2>/dev/null)" = "$2" ] && [ -x "$place/bin/$1" ]; then
    echo "$1 $2 is there"
  elif GOBIN="$place/bin" timeout 600 go install "$3@$2" >"$place/$1.log" 2>&1; then
    echo "$2" >"$place/$1.version"
    echo "$1 $2 installed"
  else
    echo "$1 $2 could not be installed: $(tail -n 1 "$place/$1.log")"
  fi
}

install kubeconform "$KUBECONFORM" github.com/yannh/kubeconform/cmd/kubeconform
install kustomize "$KUSTOMIZE" sigs.k8s.io/kustomize/kustomize/v5
install helm "$HELM" helm.sh/helm/v3/cmd/helm

crd="$place/k6.io_testruns.yaml"
if [ ! -s "$crd" ] || [ "$(cat "$place/k6-operator.version" 2>/dev/null)" != "$K6_OPERATOR" ]; then
  module="$(timeout 120 go mod download -json "github.com/grafana/k6-operator@$K6_OPERATOR" 2>/dev/null |
    sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$/\1/p')"
  if [ -n "$module" ] && cp "$module/config/crd/bases/k6.io_testruns.yaml" "$crd"; then
    chmod u+w "$crd"
    echo "$K6_OPERATOR" >"$place/k6-operator.version"
    echo "the k6 operator's kinds $K6_OPERATOR fetched"
  else
    echo "the k6 operator's kinds $K6_OPERATOR could not be fetched"
  fi
fi
exit 0
