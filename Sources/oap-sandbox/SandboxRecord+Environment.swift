internal import CommandSpec

extension SandboxRecord {
    /// The environment of the command of `--run`.
    static let environment = ManualSection(
        "ENVIRONMENT OF THE COMMAND",
        text: """
            The command of `--run` gets an environment variable for each member of the client document that is a \
            string or a boolean. For example, `OAP_CLIENT_ID` has the value of the member `client_id`. \
            `OAP_SANDBOX_FILE` is the path of a file that contains the whole client document. The sandbox removes the \
            file when the command ends.

            The command does not see your own profiles and tokens. `XDG_CONFIG_HOME`, `XDG_STATE_HOME`, \
            `XDG_CACHE_HOME` and `XDG_DATA_HOME` are set to private folders. The sandbox removes these folders when \
            the command ends. Of your own environment variables, the command gets none that begins with `OAP_`. `PS1` \
            and `PROMPT_COMMAND` are set to values that put `(oap-sandbox)` in front of the shell's prompt. If your \
            `~/.bashrc` sets `PROMPT_COMMAND`, `bash` does not show `(oap-sandbox)`. In `fish`, the sandbox sets the \
            function `fish_prompt` instead. For `zsh`, `ZDOTDIR` is set to a private folder. The file `.zshenv` in \
            this folder sets `ZDOTDIR` back to your own value, so `zsh` reads your own files.

            Without `--consent page`, `BROWSER` is set to a program that completes a login without showing a page. This \
            program trusts the certificate of the sandbox. When the sandbox redirects to the client, the program \
            starts another process in the background, and ends. The process in the background requests the redirected \
            URL from the client. If this URL has a private-use scheme, such as `com.example.app:/callback`, the \
            process is `gio(1)`, which opens the URL.
            """)
}
