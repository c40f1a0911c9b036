# Perl's Net::OAuth2 with its defaults: no PKCE, the token in the header, and no port in Host.
use strict;
use warnings;

use LWP::UserAgent;
use Net::OAuth2::Profile::WebServer;
use URI;

sub expect {
    my ($condition, $what) = @_;
    die "failed: $what\n" unless $condition;
    print "ok: $what\n";
}

my $profile = Net::OAuth2::Profile::WebServer->new(
    client_id         => $ENV{OAP_CLIENT_ID},
    client_secret     => $ENV{OAP_CLIENT_SECRET},
    site              => $ENV{OAP_ISSUER},
    authorize_url     => $ENV{OAP_AUTHORIZATION_ENDPOINT},
    access_token_url  => $ENV{OAP_TOKEN_ENDPOINT},
    refresh_token_url => $ENV{OAP_TOKEN_ENDPOINT},
    redirect_uri      => 'http://127.0.0.1:8912/callback',
    scope             => 'user',
);
my $browser = LWP::UserAgent->new(max_redirect => 0);
my $redirect = $browser->get($profile->authorize(state => 's'));
my %answer = URI->new($redirect->header('Location') or die $redirect->as_string)->query_form;
my $token = $profile->get_access_token($answer{code});
my $user = $token->get('/user')->content;
expect($user =~ /"login":\s*"ada"/, 'the code, and a token that the API takes');
my $first = $token->access_token;
$token->refresh;
expect($token->access_token ne $first && $token->get('/user')->is_success, 'refresh');
