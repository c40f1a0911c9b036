import Foundation
import TestSupport
import Testing

/// The files that the pages for other programs write: the lines in them that these programs would run, here in bash, with
/// what the programs put into them.
@Suite("The files of the pages on hosts and agents")
struct HostsPageTests {
    /// The commands of a page, and then a script.
    private static func run(_ page: String, _ script: String) throws -> ExampleSession.Outcome {
        let pages = try ManualSource.all()
        let blocks = try ["oap.1", page].map { name in
            try #require(pages.first { $0.name == name }).commands.map(\.text)
        }
        let outcomes = try ExampleSession.run(blocks.joined() + [script])
        return try #require(outcomes.last)
    }

    /// Has what the files name: the programs, the server, and commands that stand for those of others.
    private static let setUp = """
        mkdir -p stand-ins run/report state/report
        printf '#!/bin/sh\\ntest -n "$OAP_ACCESS_TOKEN"\\n' > stand-ins/report
        chmod +x stand-ins/report
        adapted() {
            sed -e 's,/usr/local/bin/report,stand-ins/report,; s,/usr/bin/,,g; s,--client-id report,--client-id sandbox,' \\
                -e "s,%d,$PWD,g; s,%S,$PWD/state,g; s,https://login.example.com,$OAP_ISSUER,g; s,/run/oap,$PWD/run,g" \\
                -e "s,/run/report,$PWD/run/report,g; s,/etc/report,$PWD,g; s,/run/secrets/oap,$PWD,g" "$1"
        }
        # A service, a container or a task has nothing of the person's variables.
        plain() { env -i PATH="$PATH" "$@"; }

        """

    @Test("the unit for systemd logs in without a home, keeps its token, and starts the program with it")
    func systemd() throws {
        let outcome = try Self.run(
            "oap-hosts.7",
            Self.setUp + """
                adapted report.service > unit
                variables=$(sed -n 's/^Environment=//p' unit)
                before=$(sed -n 's/^ExecStartPre=//p' unit)
                start=$(sed -n 's/^ExecStart=//p' unit)
                plain $variables $before 2> first
                plain $variables $before 2> second
                plain $variables $start
                grep 'the token is stored as report' first
                wc -c < second
                """)
        #expect(outcome.status == 0 && outcome.output == "oap: login: the token is stored as report\n0\n", "\(outcome)")
    }

    @Test("the check for Nagios does not know about a user without a token, and says what ends or fails")
    func check() throws {
        let outcome = try Self.run(
            "oap-hosts.7",
            """
            env -i PATH="$PATH" HOME="$PWD/nobody" bash check_oap || echo $?
            oap store put pat <<< "{\\"access_token\\":\\"a\\",\\"expires_at\\":$(($(date +%s) + 86400))}"
            OAP_LOG=/nope/log bash check_oap || echo $?
            oap store delete pat
            """)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 4, "\(outcome)")
        #expect(lines.first?.hasPrefix("UNKNOWN: ") == true && lines.dropFirst().first == "3", "\(outcome)")
        #expect(lines.dropFirst(2).first?.contains("pat") == true && lines.last == "1", "\(outcome)")
    }

    @Test("the unit of the keeper keeps a file whose token the API accepts")
    func keeper() throws {
        let outcome = try Self.run(
            "oap-hosts.7",
            """
            mkdir -p home/shared
            $(sed -n 's,^ExecStart=/usr/bin/,,p' keeper.service | sed "s,%h,$PWD/home,") 2> log &
            until [ -s home/shared/token ]; do read -r -t 0.05 < <(:) || true; done
            curl -sS -H @<(printf 'Authorization: Bearer %s' "$(cat home/shared/token)") "$OAP_API_BASE/user" |
                jq -r .login
            kill %1
            """)
        #expect(outcome.status == 0 && outcome.output == "ada\n", "\(outcome)")
    }

    @Test("kubectl reads the role of a fleet, which names the Secret that oap uses")
    func fleet() throws {
        let outcome = try Self.run(
            "oap-hosts.7",
            """
            kubectl annotate --local -f fleet.yaml a=b -o json |
                jq -r '[.. | .resourceNames? // empty | .[]] + [.. | .env? // empty | .[].value] | .[]'
            """)
        let secret = Kubernetes.work.replacing("test-", with: "oap-")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.output == "\(secret)\nkubernetes:jobs\n/run/secrets/oap/key\n/run/oap\n", "\(outcome)")
    }

    @Test("the sidecar of Kubernetes writes the file with a token that the API accepts")
    func kubernetes() throws {
        let outcome = try Self.run(
            "oap-hosts.7",
            Self.setUp + """
                adapted report.yaml > pod
                script=$(sed -n '/- >-$/,/volumeMounts/p' pod | sed '1d; $d')
                variables=$(sed -n 's/^ *- {name: \\(XDG_[A-Z_]*\\), value: \\(.*\\)}$/\\1=\\2/p' pod)
                plain $variables sh -c "$(echo $script)" 2> log &
                # Written by a rename: the folder is looked at until the file is there.
                until [ -s run/token ]; do read -r -t 0.05 < <(:) || true; done
                curl -sS -H @<(printf 'Authorization: Bearer %s' "$(cat run/token)") "$OAP_API_BASE/user" | jq -r .login
                kill %1
                echo "$variables" | wc -l
                """)
        #expect(outcome.status == 0 && outcome.output == "ada\n2\n", "\(outcome)")
    }

    @Test("the task of Ansible logs in once, and prints nothing when it is repeated")
    func ansible() throws {
        let outcome = try Self.run(
            "oap-hosts.7",
            Self.setUp + """
                task=$(adapted oap.yml | sed -n '/command: >-$/,/register:/p' | sed '1d; $d')
                for attempt in 1 2; do plain HOME="$PWD/state" $task 2>&1; done
                """)
        #expect(outcome.status == 0 && outcome.output == "oap: login: the token is stored as report\n", "\(outcome)")
    }

    @Test("a container gets the token in a variable or in a folder, and never in an argument")
    func containers() throws {
        let docker = """
            cat > stand-ins/docker <<'END'
            #!/bin/bash
            case "$*" in
                *'-e OAP_ACCESS_TOKEN '*) token=$OAP_ACCESS_TOKEN ;;
                *)
                    until [ -s run/report/token ]; do read -r -t 0.05 < <(:) || true; done
                    token=$(cat run/report/token) ;;
            esac
            [[ "$*" != *"$token"* ]]
            curl -sS -H @<(printf 'Authorization: Bearer %s' "$token") "$OAP_API_BASE/user" | jq -r .login
            END
            cp stand-ins/docker stand-ins/sudo
            sed -i 's/-e OAP_ACCESS_TOKEN /--preserve-env=OAP_ACCESS_TOKEN /' stand-ins/sudo
            chmod +x stand-ins/*
            PATH="$PWD/stand-ins:$PATH"

            """
        let hosts = try Self.run(
            "oap-hosts.7",
            Self.setUp + docker
                + "sh short.sh; adapted long.sh > long; bash long 2> log")
        #expect(hosts.status == 0 && hosts.output == "ada\nada\n", "\(hosts)")
        let agents = try Self.run(
            "oap-agents.7",
            Self.setUp + docker
                + "sh run-agent.sh; sh container.sh")
        #expect(agents.status == 0 && agents.output == "ada\nada\n", "\(agents)")
    }

    @Test(
        "an agent that is another user without a network uses the API by the socket",
        .enabled(if: geteuid() == 0, "only root can start a process of another user"))
    func agent() throws {
        let outcome = try Self.run(
            "oap-agents.7",
            Self.setUp + """
                folder=$(mktemp -d); chmod 711 "$folder"; mkdir "$folder/run"
                cat > "$folder/agent" <<'END'
                #!/bin/sh
                curl -sS --unix-socket "${0%/*}/run/api" http://localhost/files/user | jq -r .login
                curl -sS -m 2 -o /dev/null "$(cat "${0%/*}/address")" 2> /dev/null || echo no network
                id -u
                END
                echo "$OAP_API_BASE" > "$folder/address"; chmod 755 "$folder/agent"
                sed -e "s,/run/oap-agent,$folder/run,g; s,/opt/agent,$folder/agent,; s,chown agent,chown 65534," \
                    -e 's,id agent,id 65534,g' agent.sh > adapted.sh
                bash adapted.sh
                rm -r "$folder"
                """)
        #expect(outcome.status == 0 && outcome.output == "ada\nno network\n65534\n", "\(outcome)")
    }
}
