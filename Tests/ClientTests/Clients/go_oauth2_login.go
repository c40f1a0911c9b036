// x/oauth2 with its defaults: it tries both ways of client authentication. Debian's package, in GOPATH mode.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

const verifier = "a-verifier-for-tests-of-more-than-forty-three-characters"

func check(err error) {
	if err != nil {
		log.Fatal("failed: ", err)
	}
}

func expect(condition bool, what string) {
	if !condition {
		log.Fatal("failed: ", what)
	}
	fmt.Println("ok:", what)
}

func login(client *http.Client) bool {
	answer, err := client.Get(os.Getenv("OAP_API_BASE") + "/user")
	check(err)
	text, err := io.ReadAll(answer.Body)
	check(err)
	return answer.StatusCode == 200 && strings.Contains(string(text), `"ada"`)
}

func main() {
	ctx := context.Background()
	config := oauth2.Config{
		ClientID: os.Getenv("OAP_CLIENT_ID"), ClientSecret: os.Getenv("OAP_CLIENT_SECRET"),
		Endpoint: oauth2.Endpoint{
			AuthURL: os.Getenv("OAP_AUTHORIZATION_ENDPOINT"), TokenURL: os.Getenv("OAP_TOKEN_ENDPOINT"),
		},
		RedirectURL: "http://127.0.0.1:8912/callback", Scopes: []string{"user"},
	}
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	exchange := func(asked, told []oauth2.AuthCodeOption) *oauth2.Token {
		answer, err := browser.Get(config.AuthCodeURL("s", asked...))
		check(err)
		location, err := answer.Location()
		check(err)
		token, err := config.Exchange(ctx, location.Query().Get("code"), told...)
		check(err)
		return token
	}

	expect(login(config.Client(ctx, exchange(nil, nil))), "the code without PKCE")
	digest := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(digest[:])
	token := exchange(
		[]oauth2.AuthCodeOption{
			oauth2.SetAuthURLParam("code_challenge", challenge), oauth2.SetAuthURLParam("code_challenge_method", "S256"),
		},
		[]oauth2.AuthCodeOption{oauth2.SetAuthURLParam("code_verifier", verifier)})
	expect(login(config.Client(ctx, token)), "the code with PKCE")

	first := token.AccessToken
	token.Expiry = time.Now().Add(-time.Hour)
	source := config.TokenSource(ctx, token)
	renewed, err := source.Token()
	check(err)
	expect(renewed.AccessToken != first && login(oauth2.NewClient(ctx, source)), "refresh")

	machine := clientcredentials.Config{
		ClientID: config.ClientID, ClientSecret: config.ClientSecret, TokenURL: config.Endpoint.TokenURL,
		Scopes: []string{"user"},
	}
	expect(login(machine.Client(ctx)), "client credentials")
}
