internal import CommandSpec

/// The manual page `oap-recipes(7)`.
enum RecipesPage {
    /// The page.
    static let page = ManualPage(
        name: "oap-recipes", section: 7, summary: "mail, files, CI and other programs with OAuth tokens",
        date: Version.date,
        sections: [
            ManualSection("DESCRIPTION", text: description),
            ManualSection("MAIL", text: mail),
            ManualSection("FILES", text: files),
            ManualSection("PROGRAMS THAT ASK A HELPER", text: helpers),
            ManualSection("NETRC", text: netrc),
            ManualSection("CRON AND SYSTEMD", text: timers),
            ManualSection("MAKE", text: make),
            ManualSection("CI", text: jobs),
            ManualSection(
                "SEE ALSO",
                text: """
                    `mbsync(1)`, `msmtp(1)`, `oap-credential(1)`, `oap-login(1)`, `oap-run(1)`, `oap-token(1)`, `rclone(1)`, \
                    `netrc(5)`, `oap-tutorial(7)`
                    """),
        ])

    private static let description = """
        A program that runs a command to get a password can run `oap token` to get a token. A program that asks a \
        credential helper can ask `oap credential`. Log in once before using a recipe:

            oap profile set work < client.json
            oap login work --open
        """

    private static let mail = """
        Mail programs log in with XOAUTH2 or OAUTHBEARER, and ask a command for the token. Gmail wants the scope \
        `https://mail.google.com/`, Microsoft 365 `https://outlook.office.com/IMAP.AccessAsUser.All \
        https://outlook.office.com/SMTP.Send offline_access`:

            cat > login.sh <<'END'
            oap login mail --provider google --client-id ID --client-secret-file FILE \\
                --scope https://mail.google.com/
            END

        `msmtp(1)` (Debian's package `msmtp`) sends mail:

            cat > msmtprc <<'END'
            account mail
            host smtp.gmail.com
            port 587
            tls on
            from ada@example.org
            user ada@example.org
            auth xoauth2
            passwordeval "oap token mail"
            END

        `mbsync(1)` (package `isync`, and for XOAUTH2 `libsasl2-modules-kdexoauth2`) fetches it:

            cat > mbsyncrc <<'END'
            IMAPAccount mail
            Host imap.gmail.com
            SSLType IMAPS
            User ada@example.org
            AuthMechs XOAUTH2
            PassCmd "oap token mail"
            END

        `mutt(1)` and `neomutt(1)` (packages `mutt` and `neomutt`) do both:

            cat > muttrc <<'END'
            set imap_authenticators="oauthbearer:xoauth2"
            set imap_oauth_refresh_command="oap token mail"
            set smtp_authenticators="oauthbearer:xoauth2"
            set smtp_oauth_refresh_command="oap token mail"
            END

        getmail (package `getmail6`) fetches it:

            cat > getmailrc <<'END'
            [retriever]
            type = SimpleIMAPSSLRetriever
            server = imap.gmail.com
            username = ada@example.org
            use_xoauth2 = True
            password_command = ("oap", "token", "mail")
            END

        A program that is started by a timer has to find `oap` in its `PATH`.
        """

    private static let files = """
        `rclone(1)` (package `rclone`) asks for a token whenever a WebDAV server refuses the last one. `restic(1)` \
        (package `restic`) does the same with a repository such as `rclone:files:backup`:

            cat > rclone.conf <<'END'
            [files]
            type = webdav
            url = https://cloud.example.org/remote.php/dav/files/ada
            vendor = nextcloud
            bearer_token_command = oap token work
            END
        """

    private static let helpers = """
        `oap credential` supports the protocols of these programs. git, for one server:

            git config --file gitconfig \\
                credential.https://git.example.helper '!oap credential git -p work'

        The user of a Kubernetes cluster; docker, podman and skopeo, and `keyring` for `pip` and `uv`, want a program of \
        a certain name, see `examples/`. Google's and AWS's libraries exchange the ID token for credentials of their own \
        (workload identity):

            cat > kubeuser.json <<'END'
            {"apiVersion": "client.authentication.k8s.io/v1", "command": "oap",
             "args": ["credential", "kubectl", "-p", "work"], "interactiveMode": "Never"}
            END
            cat > google.json <<'END'
            {"executable": {"command": "oap credential google -p work"}}
            END
            cat > aws.config <<'END'
            [default]
            credential_process = oap credential aws -p work --role-arn arn:aws:iam::123456789012:role/reader
            END
        """

    private static let netrc = """
        curl, pip, git and apt read `netrc(5)`. The file must be written again before the token expires, for example \
        by a timer that runs twice in its lifetime:

            oap credential netrc -p work --host api.example.org -o netrc
            grep -c '^machine api.example.org ' netrc

        `oap token work --watch -o FILE` writes a file with the token whenever it is renewed.
        """

    private static let timers = """
        A job prints nothing unless something is wrong. Exit status 8 says that a user must log in again. This is a \
        line of `crontab(5)`, with the full path of `oap`, since cron's `PATH` is only `/usr/bin:/bin`:

            echo '17 * * * * /usr/bin/oap refresh -p work --if-expired' > crontab

        A service gets the token in its environment, renewed when it starts again, or from a file that stays fresh:

            cat > report.service <<'END'
            [Service]
            ExecStart=/usr/bin/oap run work -- /usr/local/bin/report
            END
            oap run work --keep-fresh -- sh -c 'test -s "$OAP_TOKEN_FILE"'
        """

    private static let make = """
        If the call fails, make finds no half-written file, since `-o` writes the whole result or nothing:

            printf 'repos.json:\\n\\toap call work /user/repos -o $@\\n' > Makefile
            make -s repos.json
            jq -r '.[0].name' repos.json
        """

    private static let jobs = """
        A job has a client of its own. In GitHub's logs, a value is masked after the command `::add-mask::`. GitLab \
        reads variables from a file (`dotenv`):

            oap exchange -n --grant client_credentials -o ci.json
            oap refresh --if-expired < ci.json \\
                --jq '"::add-mask::\\(.access_token)"' -r
            oap refresh --if-expired < ci.json \\
                --jq '"API_TOKEN=\\(.access_token)"' -r -o token.env
            oap revoke < ci.json > revoked.json

        `examples/ci` has an action for GitHub, a component for GitLab and a plain shell step; they also exchange the ID \
        token of the job, so that no secret is stored.
        """
}
