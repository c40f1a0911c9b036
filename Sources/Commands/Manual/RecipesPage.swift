internal import CommandSpec

/// The manual page `oap-recipes(7)`.
enum RecipesPage {
    /// The page.
    static let page = ManualPage(
        name: "oap-recipes", section: 7, summary: "settings with which mail, git, cron, CI and others use tokens",
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
        A program that runs a command to get a password can run `oap token` to get a token instead. A program that \
        asks a credential helper can ask `oap credential`. Log in once before using a recipe:

            oap profile set work < client.json
            oap login work --open
        """

    private static let mail = """
        Mail programs log in at the mail server with XOAUTH2 or OAUTHBEARER, and run a command that prints the token. \
        All following settings use a token with the name `mail`. The login for this token must ask for the scope that \
        the mail server needs. For Microsoft 365 the scope is `https://outlook.office.com/IMAP.AccessAsUser.All \
        https://outlook.office.com/SMTP.Send offline_access`. For Gmail, these lines write the login to a script; \
        replace ID and FILE in it, and run `sh login.sh`:

            cat > login.sh <<'END'
            oap login mail --provider google --client-id ID --client-secret-file FILE \\
                --scope https://mail.google.com/
            END

        `msmtp(1)` (Debian's package `msmtp`) sends mail with this setting:

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

        `mbsync(1)` (package `isync`) fetches mail. For XOAUTH2 it needs the package `libsasl2-modules-kdexoauth2` \
        too:

            cat > mbsyncrc <<'END'
            IMAPAccount mail
            Host imap.gmail.com
            SSLType IMAPS
            User ada@example.org
            AuthMechs XOAUTH2
            PassCmd "oap token mail"
            END

        `mutt(1)` and `neomutt(1)` (packages `mutt` and `neomutt`) send and fetch mail:

            cat > muttrc <<'END'
            set imap_authenticators="oauthbearer:xoauth2"
            set imap_oauth_refresh_command="oap token mail"
            set smtp_authenticators="oauthbearer:xoauth2"
            set smtp_oauth_refresh_command="oap token mail"
            END

        getmail (package `getmail6`) fetches mail:

            cat > getmailrc <<'END'
            [retriever]
            type = SimpleIMAPSSLRetriever
            server = imap.gmail.com
            username = ada@example.org
            use_xoauth2 = True
            password_command = ("oap", "token", "mail")
            END

        If a timer starts one of these programs, `oap` must be in the `PATH` of the timer's job.
        """

    private static let files = """
        `rclone(1)` (package `rclone`) runs the command in `bearer_token_command` whenever a WebDAV server refuses the \
        last token. `restic(1)` (package `restic`) uses rclone, and so this setting, for a repository such as \
        `rclone:files:backup`:

            cat > rclone.conf <<'END'
            [files]
            type = webdav
            url = https://cloud.example.org/remote.php/dav/files/ada
            vendor = nextcloud
            bearer_token_command = oap token work
            END
        """

    private static let helpers = """
        `oap credential` supports the protocols of the following programs. The first command makes `oap` the \
        credential helper of git for one server:

            git config --file gitconfig \\
                credential.https://git.example.helper '!oap credential git -p work'

        For docker, podman, skopeo, `pip` and `uv`, the helper must be a program with a certain name: the folder \
        `examples/` of the source has such scripts. The next three files are for a user of a Kubernetes cluster, for \
        the libraries of Google, and for those of AWS. These libraries exchange the ID token for temporary credentials \
        of Google or AWS (workload identity):

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
        curl, pip, git and apt read passwords from the file of `netrc(5)`. This file must be written again before the \
        token expires, for example by a timer. If a token is valid for an hour, the timer could run every 30 minutes. \
        The first command writes the file, and the second counts its lines for the host:

            oap credential netrc -p work --host api.example.org -o netrc
            grep -c '^machine api.example.org ' netrc

        `oap token work --watch -o FILE` keeps running, and writes the token to a file whenever it is renewed.
        """

    private static let timers = """
        In a job, `oap refresh -p NAME` prints nothing unless it fails. Exit status 8 says that a user must log in \
        again. The following command writes a line for `crontab(5)` into the file `crontab`. The line has the full \
        path of `oap`, since cron's `PATH` is only `/usr/bin:/bin`:

            echo '17 * * * * /usr/bin/oap refresh -p work --if-expired' > crontab

        A service gets the token in its environment with `oap run`. This token is renewed only when the service is \
        started again. With `--keep-fresh`, as in the last command below, there is also a file with the token, which \
        is written again at each renewal:

            cat > report.service <<'END'
            [Service]
            ExecStart=/usr/bin/oap run work -- /usr/local/bin/report
            END
            oap run work --keep-fresh -- sh -c 'test -s "$OAP_TOKEN_FILE"'
        """

    private static let make = """
        `oap call -o FILE` writes the whole result or nothing. So make never finds a half-written file after a call \
        that failed:

            printf 'repos.json:\\n\\toap call work /user/repos -o $@\\n' > Makefile
            make -s repos.json
            jq -r '.[0].name' repos.json
        """

    private static let jobs = """
        A CI job has a client of its own, and needs no user. GitHub masks a value in its logs after the job has \
        printed it with `::add-mask::`, as the second command below does. GitLab reads variables from a file \
        (`dotenv`), which the third command writes:

            oap exchange -n --grant client_credentials -o ci.json
            oap refresh --if-expired < ci.json \\
                --jq '"::add-mask::\\(.access_token)"' -r
            oap refresh --if-expired < ci.json \\
                --jq '"API_TOKEN=\\(.access_token)"' -r -o token.env
            oap revoke < ci.json > revoked.json

        The folder `examples/ci` of the source has an action for GitHub, a component for GitLab and a plain shell \
        step. They can also exchange the ID token of the job for an access token, so that no secret is stored in the \
        CI system.
        """
}
