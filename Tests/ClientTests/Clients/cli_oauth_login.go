// cli/oauth, the login of gh: the device grant with its defaults, in the browser that xdg-open finds.
package main

import (
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/cli/oauth"
)

func check(err error) {
	if err != nil {
		log.Fatal("failed: ", err)
	}
}

func main() {
	os.Unsetenv("DISPLAY")
	os.Unsetenv("WAYLAND_DISPLAY")
	flow := oauth.Flow{
		Host: &oauth.Host{
			DeviceCodeURL: os.Getenv("OAP_DEVICE_AUTHORIZATION_ENDPOINT"), TokenURL: os.Getenv("OAP_TOKEN_ENDPOINT"),
		},
		ClientID: "sandbox-public", Scopes: []string{"user"}, Stdin: strings.NewReader("\n"), Stdout: os.Stderr,
	}
	token, err := flow.DeviceFlow()
	check(err)
	request, err := http.NewRequest("GET", os.Getenv("OAP_API_BASE")+"/user", nil)
	check(err)
	request.Header.Set("Authorization", "Bearer "+token.Token)
	answer, err := http.DefaultClient.Do(request)
	check(err)
	if answer.StatusCode != 200 {
		log.Fatal("failed: ", answer.Status)
	}
	os.Stdout.WriteString("ok: the device grant, and a token that the API takes\n")
}
