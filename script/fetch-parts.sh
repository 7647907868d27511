# Read by scripts that fetch programs for tests (`source script/fetch-parts.sh`): the one Go toolchain that is used, and
# packages of Debian. Installs nothing; both write into a folder that they are given only.
go_version=go1.26.8
go_sum_amd64=30c2b1bf7dcc88d3eb0a1364e47ddd9128edb3110a30e8a0ef61cd5856b31de7
go_sum_arm64=02b36b6787b3ac767668f630e2998df45a3b1f9ffee08d1bf3ef6487cd658d99
go_proxy="${ZONEKEEPER_GO_PROXY:-https://proxy.golang.org}"
debian_mirror="${ZONEKEEPER_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

needs() { # PACKAGES PROGRAM…: what Debian calls those that hold the programs
  local packages="$1" program; shift
  for program in "$@"; do
    command -v "$program" >/dev/null || die "$program is needed (Debian or Ubuntu: apt-get install $packages)"
  done
}

# Go comes through the module proxy with a pinned checksum, into WORK/go.
fetch_go() { # WORK
  local work="$1" arch sum zip="$1/go.zip"
  case "$(uname -sm)" in
    "Linux x86_64") arch=amd64 sum=$go_sum_amd64 ;;
    "Linux aarch64") arch=arm64 sum=$go_sum_arm64 ;;
    *) die "only Linux on amd64 and arm64 is known to build" ;;
  esac
  rm -rf "$work/go" && mkdir -p "$work/go"
  node -e '
    const [, url, path] = process.argv;
    fetch(url).then(async (answer) => {
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      require("node:fs").writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
    });
  ' "$go_proxy/golang.org/toolchain/@v/v0.0.1-$go_version.linux-$arch.zip" "$zip"
  echo "$sum  $zip" | sha256sum --check --quiet
  unzip -q "$zip" -d "$work/go"
  rm "$zip"
  mv "$work"/go/golang.org/toolchain*/* "$work/go/"
  # Module archives carry no permissions.
  chmod -R u+x "$work/go/bin" "$work/go/pkg/tool"
}

# WORK's Go in a module, which checks modules by its go.sum. Nothing of the person at the machine is read or written.
# A compiler ends before it has 700 MB to collect.
go_in() { # WORK MODULE ARGUMENT…
  local work="$1" module="$2"; shift 2
  (cd "$module" && env -i PATH="$work/go/bin:$PATH" HOME="$work" GOPATH="$work/gopath" GOCACHE="$work/gocache" \
    GOTOOLCHAIN=local GOPROXY="$go_proxy" GOFLAGS="-modcacherw -buildvcs=false -mod=readonly" CGO_ENABLED=0 \
    GOGC=off GOMEMLIMIT=700MiB go "$@")
}

# Builds the programs of a module into OUT, without what only debuggers read.
build_go() { # WORK MODULE OUT LDFLAGS [GCFLAGS]
  go_in "$1" "$2" build -trimpath -ldflags "-s -w $4" -gcflags "all=-dwarf=false ${5:-}" -o "$3/" ./...
}

# Unpacks packages of a suite of Debian into WORK/root, for debian_arch (empty = this machine's). apt gets source lists,
# lists and caches of its own and checks the files as it always does; what is installed here does not count.
debian_arch=""
fetch_debian() { # WORK SUITE PACKAGE…
  local work="$1" suite="$2" arch="${debian_arch:-$(dpkg --print-architecture)}" package; shift 2
  needs "apt dpkg" apt-get dpkg
  [ -f "$debian_keyring" ] || die "$debian_keyring is missing (apt-get install debian-archive-keyring)"
  mkdir -p "$work"/{lists/partial,cache/archives/partial,parts,root,packages}
  : >"$work/status"
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
    "$debian_mirror" "$suite" "$debian_keyring" >"$work/parts/debian.sources"
  local apt=(apt-get -q -o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$work/parts"
    -o "Dir::State::lists=$work/lists" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache" -o "APT::Sandbox::User="
    -o "Acquire::Languages=none" -o "Acquire::Retries=3" -o "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false"
    -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o "Debug::NoLocking=1")
  if ! { "${apt[@]}" update && (cd "$work/packages" && "${apt[@]}" download "$@"); } >"$work/apt.log" 2>&1; then
    cat "$work/apt.log" >&2
    die "could not download $* from $debian_mirror $suite"
  fi
  for package; do dpkg -x "$work/packages/$package"_*.deb "$work/root"; done
}
