// go-oidc and x/oauth2 with their defaults: RS256, no PKCE. Debian's packages, in GOPATH mode.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc"
	"golang.org/x/oauth2"
)

func check(err error) {
	if err != nil {
		log.Fatal("failed: ", err)
	}
}

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("OAP_ISSUER"))
	check(err)
	config := oauth2.Config{
		ClientID: os.Getenv("OAP_CLIENT_ID"), ClientSecret: os.Getenv("OAP_CLIENT_SECRET"),
		Endpoint: provider.Endpoint(), RedirectURL: "http://127.0.0.1:8912/callback",
		Scopes: []string{oidc.ScopeOpenID, "email"},
	}
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := browser.Get(config.AuthCodeURL("s"))
	check(err)
	location, err := answer.Location()
	check(err)
	token, err := config.Exchange(ctx, location.Query().Get("code"))
	check(err)
	text, _ := token.Extra("id_token").(string)
	verified, err := provider.Verifier(&oidc.Config{ClientID: config.ClientID}).Verify(ctx, text)
	check(err)
	user, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	check(err)
	if verified.Subject != "1815" || user.Email != "ada@example.com" {
		log.Fatal("failed: another user")
	}
	os.Stdout.WriteString("ok: the code, the ID token with the default RS256, and userinfo\n")
}
