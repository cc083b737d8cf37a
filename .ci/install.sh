# Sourced: install PACKAGE... gets packages of the distribution. Wants $work, a folder for its notes.
install() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
  if [ ! -e "$work/apt-updated" ]; then
    "${as_root[@]}" apt-get update -qq
    touch "$work/apt-updated"
  fi
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >"$work/apt.log" 2>&1 ||
    { cat "$work/apt.log"; return 1; }
}
