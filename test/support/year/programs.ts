// Replacements for programs that a test cannot run, because they would change the machine, or need a terminal or a public host name.
// Each is a script in the folder `bin` of the test's machine, which comes first in its PATH.

export interface ProgramOptions {
  /** The root of the machine. */
  folder: string
  /** A command prefix that runs a program as the user of the service. */
  asService: string
  /** A command prefix that runs a program as the administrator of the PostgreSQL server. */
  asPostgres: string
}

/** The scripts by name. */
export function buildPrograms({ folder, asService, asPostgres }: ProgramOptions): Record<string, string> {
  return {
    // The tests use the account nobody, which exists on every system.
    useradd: 'exit 0',
    // Succeeds without installing: the test installs packages itself, or skips.
    'apt-get': '[ "$1" = install ]',
    runuser: `
      [ "$1" = -u ] && [ "$3" = -- ]
      user=$2
      shift 3
      case "$user" in
        kalends) exec ${asService} "$@" ;;
        postgres) exec ${asPostgres} "$@" ;;
        *) exit 64 ;;
      esac`,
    // Creates a self-signed certificate where Let's Encrypt would store one.
    certbot: `
      [ "$1" = certonly ]
      while [ "$1" != --domain ]; do shift; done
      home=${folder}/etc/letsencrypt/live/$2
      mkdir -p "$home"
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$2" \\
        -addext "subjectAltName=DNS:$2" -keyout "$home/privkey.pem" -out "$home/fullchain.pem" 2> /dev/null`,
    editor: `sed -i -E -f ${folder}/run/edits.sed "$1"`,
    nginx: `exec /usr/sbin/nginx -p ${folder}/run/nginx -c ${folder}/etc/nginx/nginx.conf "$@"`,
    systemctl: buildSystemctl(folder, asService)
  }
}

/** Starts and stops the services as in their units, without sandboxing. A process in state Z (zombie) has ended. */
function buildSystemctl(folder: string, asService: string): string {
  return `
    action=$1
    shift
    if [ "$action" = daemon-reload ]; then exit 0; fi
    if [ "$action" = enable ] && [ "$1" = --now ]; then action=start; shift; fi
    service=$1
    pid_file=${folder}/run/$service.pid
    is_running() {
      [ -e "$pid_file" ] && [ -e "/proc/$(cat "$pid_file")" ] && ! grep -q '^State:.Z' "/proc/$(cat "$pid_file")/status"
    }
    start() {
      if is_running; then return; fi
      case "$service" in
        kalends)
          unit=${folder}/etc/systemd/system/kalends.service
          grep -q '^User=kalends$' "$unit" && grep -q '^WorkingDirectory=/var/lib/kalends$' "$unit"
          cd ${folder}/var/lib/kalends
          umask "$(sed -n 's/^UMask=//p' "$unit")"
          read -r -a environment <<< "$(sed -n 's/^Environment=//p' "$unit" | tr '\\n' ' ')"
          read -r -a words <<< "$(sed -n 's/^ExecStart=//p' "$unit")"
          exec setsid ${asService} env -i PATH=/usr/local/bin:/usr/bin:/bin "\${environment[@]}" "\${words[@]}" ;;
        nginx) exec nginx -g 'daemon off;' ;;
        caddy) XDG_DATA_HOME=${folder}/run XDG_CONFIG_HOME=${folder}/run exec caddy run --config ${folder}/etc/caddy/Caddyfile ;;
      esac > ${folder}/run/$service.log 2>&1 < /dev/null &
      echo $! > "$pid_file"
    }
    stop() {
      if ! is_running; then return; fi
      kill -TERM "$(cat "$pid_file")"
      for _ in $(seq 200); do if ! is_running; then rm "$pid_file"; return; fi; sleep 0.1; done
      exit 1
    }
    case "$action" in
      start) start ;;
      stop) stop ;;
      restart | reload) stop; start ;;
      *) exit 64 ;;
    esac`
}
