#!/bin/sh
# citus.sh SOURCE FOLDER: build Citus of a source tree (v13.2) against the system's PostgreSQL into a folder, start a
# coordinator and two workers there, and print the variables by which a team's tests run on them.
#
# Nothing of the system is changed. Wants postgresql-server-dev, flex and the headers of lz4, zstd and krb5.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
version=$(pg_config --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
libraries=usr/lib/postgresql/$version
shared=usr/share/postgresql/$version
bin=$folder/installed/$libraries/bin

if [ ! -x "$bin/initdb" ]; then
    mkdir -p "$folder/source" "$folder/installed/$libraries" "$folder/installed/$shared"
    cp -Rp "$source/." "$folder/source"
    cd "$folder/source"
    # Where PostgreSQL's newer headers have it, Citus's own of the same name doesn't compile.
    if grep -qs 'have_createdb_privilege' "$(pg_config --includedir-server)/utils/acl.h" \
        "$(pg_config --includedir-server)/commands/dbcommands.h"; then
        header=src/include/pg_version_compat.h
        awk '/^#define have_createdb_privilege/ { next }
            /^static inline bool$/ { held = $0; next }
            held && /^have_createdb_privilege/ { held = ""; inside = 1; next }
            held { print held; held = "" }
            inside { if (/^}$/) inside = 0; next }
            { print }' $header > header && mv header $header
    fi
    ./configure --without-libcurl > "$folder/configure.log"
    make -j2 with_llvm=no > "$folder/make.log" 2>&1
    # A copy of the system's programs finds the extension beside itself.
    cp -R "/$libraries/." "$folder/installed/$libraries"
    cp -R "/$shared/." "$folder/installed/$shared"
    make install with_llvm=no DESTDIR="$folder/installed" >> "$folder/make.log" 2>&1
fi

# Who runs root's nodes can't read root's home, where libpq looks for certificates.
as() { if [ "$(id -u)" = 0 ]; then HOME=$folder/nodes setpriv --reuid=nobody --clear-groups "$@"; else "$@"; fi; }
if [ "$(id -u)" = 0 ]; then
    mkdir -p "$folder/nodes"
    chown -R nobody "$folder/nodes"
fi
mkdir -p "$folder/nodes"
for number in 0 1 2; do
    node=$folder/nodes/$number
    if [ ! -d "$node" ]; then
        as "$bin/initdb" -D "$node" -U postgres -A trust -E UTF8 --locale=C --no-sync > /dev/null
        as sh -c "cat >> '$node/postgresql.conf'" <<EOF
port = 5544$number
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
fsync = off
full_page_writes = off
synchronous_commit = off
max_prepared_transactions = 100
max_connections = 200
EOF
    fi
    as "$bin/pg_ctl" -D "$node" status > /dev/null || as "$bin/pg_ctl" -D "$node" -l "$node/log" -w start > /dev/null
done
place="host=127.0.0.1 user=postgres dbname=postgres port="
echo "MEMTUI_TEST_DSN='${place}55440' MEMTUI_TEST_WORKERS='${place}55441
${place}55442'"
