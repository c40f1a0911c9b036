internal import CommandSpec

/// The manual page `oap-recipes(7)`.
enum RecipesPage {
    /// The page.
    static let page = ManualPage(
        name: "oap-recipes", section: 7, summary: "how mail, git, cron, CI and other programs get tokens",
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
        uses a credential helper can use `oap credential`. Before you use a recipe, log in once:

            oap profile set work < client.json
            oap login work --open
        """

    private static let mail = """
        Mail programs log in at the mail server with XOAUTH2 or OAUTHBEARER. To get the token, they run a command. All \
        settings in this section use the stored token `mail`. The login for this token must ask for the scope that the \
        mail server needs. For Microsoft 365, this scope is `https://outlook.office.com/IMAP.AccessAsUser.All \
        https://outlook.office.com/SMTP.Send offline_access`. For Gmail, the following lines write the script \
        `login.sh`. In this script, replace ID by your `client_id`, and FILE by the path of a file with the client \
        secret. Then run `sh login.sh`:

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

        `mbsync(1)` (package `isync`) fetches mail. For XOAUTH2, mbsync also needs the package \
        `libsasl2-modules-kdexoauth2`:

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

        If a timer starts a mail program, the `PATH` of the timer's job must have the folder of `oap`.
        """

    private static let files = """
        `rclone(1)` (package `rclone`) runs the command in `bearer_token_command` whenever a WebDAV server refuses the \
        current token. `restic(1)` (package `restic`) runs rclone for a repository such as `rclone:files:backup`, and \
        so uses this setting too. The following lines write the settings file of rclone:

            cat > rclone.conf <<'END'
            [files]
            type = webdav
            url = https://cloud.example.org/remote.php/dav/files/ada
            vendor = nextcloud
            bearer_token_command = oap token work
            END
        """

    private static let helpers = """
        `oap credential` supports the protocols of the following programs. This command makes `oap` the credential \
        helper of git (package `git`) for one server. `--allow-origin` is needed if the API of the profile \
        (`api_base`) has another address than the git server:

            git config --file gitconfig credential.https://git.example.helper \\
                '!oap credential git -p work --allow-origin https://git.example'

        For docker (package `docker.io`), podman and skopeo, the helper must be a program with a name such as \
        `docker-credential-oauth`. For `pip` and `uv`, the name of the helper must be `keyring`. The folder \
        `examples/` of the source has the scripts `docker-credential-oauth` and `keyring`.

        The following commands write two files. `kubeuser.json` adds the user `work` to the settings of kubectl \
        (package `kubernetes-client`). `export KUBECONFIG=~/.kube/config:kubeuser.json` makes kubectl read both files, \
        and `kubectl config set-context --current --user=work` selects the user. `aws.config` is for the libraries of \
        AWS, and for the command `aws` (package `awscli`). For these programs, `oap` exchanges the ID token of the \
        stored token `work` for temporary credentials of AWS (workload identity):

            cat > kubeuser.json <<'END'
            {"apiVersion": "v1", "kind": "Config", "users": [{"name": "work", "user": {"exec":
             {"apiVersion": "client.authentication.k8s.io/v1", "command": "oap",
              "args": ["credential", "kubectl", "-p", "work"], "interactiveMode": "Never"}}}]}
            END
            cat > aws.config <<'END'
            [default]
            credential_process = oap credential aws -p work --role-arn arn:aws:iam::123456789012:role/reader
            END

        The libraries of Google read `google.json` if the environment variable `GOOGLE_APPLICATION_CREDENTIALS` has \
        the path of this file. The libraries run the command in this file only if \
        `GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES` is `1`. They exchange the ID token that `oap` gives them for \
        temporary credentials of Google. In `audience`, replace NUMBER by the number of your project. Replace POOL and \
        PROVIDER by the names of your workload identity pool and of its provider:

            cat > google.json <<'END'
            {"type": "external_account",
             "audience": "//iam.googleapis.com/projects/NUMBER/locations/global/workloadIdentityPools/\
        POOL/providers/PROVIDER",
             "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
             "token_url": "https://sts.googleapis.com/v1/token",
             "credential_source": {"executable":
              {"command": "oap credential google -p work", "timeout_millis": 30000}}}
            END
            export GOOGLE_APPLICATION_CREDENTIALS="$PWD/google.json"
            export GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1
        """

    private static let netrc = """
        curl, pip, git and apt read passwords from a `netrc(5)` file. Write the file again before the token in it \
        expires, for example with a timer. If a token is valid for an hour, the timer could run every 30 minutes. The \
        first command writes the file. The second command counts the lines for the host `api.example.org`:

            oap credential netrc -p work --host api.example.org -o netrc
            grep -c '^machine api.example.org ' netrc

        The following lines write two files for systemd: a service that writes `~/.netrc` again, and a timer that \
        starts the service. `oap` replaces all lines of `~/.netrc`. Copy the files `oap-netrc.service` and \
        `oap-netrc.timer` to `~/.config/systemd/user`, and run `systemctl --user enable --now oap-netrc.timer`. With \
        `loginctl enable-linger`, the timer also runs while you are not logged in:

            cat > oap-netrc.service <<'END'
            [Service]
            Type=oneshot
            ExecStart=/usr/bin/oap credential netrc -p work --host api.example.org -o %h/.netrc
            END
            cat > oap-netrc.timer <<'END'
            [Timer]
            OnStartupSec=1min
            OnUnitActiveSec=30min
            [Install]
            WantedBy=timers.target
            END

        `oap token work --watch -o FILE` keeps running. After each renewal of the token, it writes the new token to \
        the file.
        """

    private static let timers = """
        In a job, `oap refresh -p NAME` prints nothing unless it fails. Exit status 8 says that a user must log in \
        again. The following command writes a line for `crontab(5)` into the file `crontab`. The line has the full \
        path of `oap`, since cron's `PATH` is only `/usr/bin:/bin`:

            echo '17 * * * * /usr/bin/oap refresh -p work --if-expired' > crontab

        `oap run` starts a service with the token in its environment. This token stays the same while the service \
        runs. With `--keep-fresh`, as in the last command below, `oap run` also writes the token to a file, and renews \
        the token while the service runs. At each renewal, `oap run` writes the file again:

            cat > report.service <<'END'
            [Service]
            ExecStart=/usr/bin/oap run work -- /usr/local/bin/report
            END
            oap run work --keep-fresh -- sh -c 'test -s "$OAP_TOKEN_FILE"'
        """

    private static let make = """
        `oap call -o FILE` writes the whole result, or it writes nothing. So make finds no half-written file after a \
        failed call. The first command writes a rule for make (package `make`):

            printf 'repos.json:\\n\\toap call work /user/repos -o $@\\n' > Makefile
            make -s repos.json
            jq -r '.[0].name' repos.json
        """

    private static let jobs = """
        A CI job uses a client of its own, so no user logs in. If the job prints a line `::add-mask::VALUE`, GitHub \
        masks this value in its logs. The second command below prints such a line. GitLab reads variables from a \
        `dotenv` file. The third command writes such a file. In a job of GitHub, the fourth command sets the output \
        `token` of the step to the token itself; only the logs show it masked:

            oap exchange -n --grant client_credentials -o ci.json
            oap refresh --if-expired < ci.json \\
                --jq '"::add-mask::\\(.access_token)"' -r
            oap refresh --if-expired < ci.json \\
                --jq '"API_TOKEN=\\(.access_token)"' -r -o token.env
            oap refresh --if-expired < ci.json \\
                --jq '"token=\\(.access_token)"' -r >> "${GITHUB_OUTPUT:-/dev/null}"
            oap revoke < ci.json > revoked.json

        The folder `examples/ci` of the source has an action for GitHub, a component for GitLab and a plain shell \
        step. Each of them can also exchange the ID token of the job for an access token. With this exchange, the CI \
        system stores no secret.
        """
}
