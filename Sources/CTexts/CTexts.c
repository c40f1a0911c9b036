#include "CTexts.h"
#include <string.h>

// In Swift they would be array literals of 200,000 numbers, for which the compiler takes half a minute.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char text_agents[] = {
#embed "../Shell/Manual/text/agents.md"
};
static const unsigned char text_authurl[] = {
#embed "../Shell/Manual/text/authurl.md"
};
static const unsigned char text_call[] = {
#embed "../Shell/Manual/text/call.md"
};
static const unsigned char text_callback_parse[] = {
#embed "../Shell/Manual/text/callback-parse.md"
};
static const unsigned char text_changes[] = {
#embed "../Shell/Manual/text/changes.md"
};
static const unsigned char text_completion[] = {
#embed "../Shell/Manual/text/completion.md"
};
static const unsigned char text_credential[] = {
#embed "../Shell/Manual/text/credential.md"
};
static const unsigned char text_ci_token[] = {
#embed "../Shell/Manual/text/ci-token.md"
};
static const unsigned char text_ciba[] = {
#embed "../Shell/Manual/text/ciba.md"
};
static const unsigned char text_device[] = {
#embed "../Shell/Manual/text/device.md"
};
static const unsigned char text_discover[] = {
#embed "../Shell/Manual/text/discover.md"
};
static const unsigned char text_documents[] = {
#embed "../Shell/Manual/text/documents.md"
};
static const unsigned char text_end_session[] = {
#embed "../Shell/Manual/text/end-session.md"
};
static const unsigned char text_exchange[] = {
#embed "../Shell/Manual/text/exchange.md"
};
static const unsigned char text_help[] = {
#embed "../Shell/Manual/text/help.md"
};
static const unsigned char text_hosts[] = {
#embed "../Shell/Manual/text/hosts.md"
};
static const unsigned char text_index[] = {
#embed "../Shell/Manual/text/index.md"
};
static const unsigned char text_inspect[] = {
#embed "../Shell/Manual/text/inspect.md"
};
static const unsigned char text_introspect[] = {
#embed "../Shell/Manual/text/introspect.md"
};
static const unsigned char text_jwk[] = {
#embed "../Shell/Manual/text/jwk.md"
};
static const unsigned char text_jwt[] = {
#embed "../Shell/Manual/text/jwt.md"
};
static const unsigned char text_listen[] = {
#embed "../Shell/Manual/text/listen.md"
};
static const unsigned char text_login[] = {
#embed "../Shell/Manual/text/login.md"
};
static const unsigned char text_logout[] = {
#embed "../Shell/Manual/text/logout.md"
};
static const unsigned char text_members[] = {
#embed "../Shell/Manual/text/members.md"
};
static const unsigned char text_oap[] = {
#embed "../Shell/Manual/text/oap.md"
};
static const unsigned char text_options[] = {
#embed "../Shell/Manual/text/options.md"
};
static const unsigned char text_profile[] = {
#embed "../Shell/Manual/text/profile.md"
};
static const unsigned char text_provider[] = {
#embed "../Shell/Manual/text/provider.md"
};
static const unsigned char text_providers[] = {
#embed "../Shell/Manual/text/providers.md"
};
static const unsigned char text_recipes[] = {
#embed "../Shell/Manual/text/recipes.md"
};
static const unsigned char text_refresh[] = {
#embed "../Shell/Manual/text/refresh.md"
};
static const unsigned char text_register[] = {
#embed "../Shell/Manual/text/register.md"
};
static const unsigned char text_revoke[] = {
#embed "../Shell/Manual/text/revoke.md"
};
static const unsigned char text_proxy[] = {
#embed "../Shell/Manual/text/proxy.md"
};
static const unsigned char text_run[] = {
#embed "../Shell/Manual/text/run.md"
};
static const unsigned char text_scheme_handler[] = {
#embed "../Shell/Manual/text/scheme-handler.md"
};
static const unsigned char text_security[] = {
#embed "../Shell/Manual/text/security.md"
};
static const unsigned char text_store[] = {
#embed "../Shell/Manual/text/store.md"
};
static const unsigned char text_token[] = {
#embed "../Shell/Manual/text/token.md"
};
static const unsigned char text_tutorial[] = {
#embed "../Shell/Manual/text/tutorial.md"
};
static const unsigned char text_userinfo[] = {
#embed "../Shell/Manual/text/userinfo.md"
};
static const unsigned char text_verify[] = {
#embed "../Shell/Manual/text/verify.md"
};
static const unsigned char text_whoami[] = {
#embed "../Shell/Manual/text/whoami.md"
};
static const unsigned char text_presets[] = {
#embed "../OAuth/Presets/providers.json"
};
static const unsigned char text_refusals[] = {
#embed "../OAuth/Response/refusals.json"
};
static const unsigned char text_foreign[] = {
#embed "../Shell/Manual/text/foreign.json"
};
static const unsigned char text_schemas[] = {
#embed "../Shell/Manual/text/schemas.json"
};
static const unsigned char pages[] = {
#embed "../Login/Listen/text/pages.json"
};
static const unsigned char page[] = {
#embed "../Login/Listen/text/page.html"
};
static const unsigned char style[] = {
#embed "../Login/Listen/text/style.css"
};

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t length;
} texts[] = {
    {"agents.md", text_agents, sizeof text_agents},
    {"authurl.md", text_authurl, sizeof text_authurl},
    {"call.md", text_call, sizeof text_call},
    {"callback-parse.md", text_callback_parse, sizeof text_callback_parse},
    {"changes.md", text_changes, sizeof text_changes},
    {"completion.md", text_completion, sizeof text_completion},
    {"credential.md", text_credential, sizeof text_credential},
    {"ci-token.md", text_ci_token, sizeof text_ci_token},
    {"ciba.md", text_ciba, sizeof text_ciba},
    {"device.md", text_device, sizeof text_device},
    {"discover.md", text_discover, sizeof text_discover},
    {"documents.md", text_documents, sizeof text_documents},
    {"end-session.md", text_end_session, sizeof text_end_session},
    {"exchange.md", text_exchange, sizeof text_exchange},
    {"help.md", text_help, sizeof text_help},
    {"hosts.md", text_hosts, sizeof text_hosts},
    {"index.md", text_index, sizeof text_index},
    {"inspect.md", text_inspect, sizeof text_inspect},
    {"introspect.md", text_introspect, sizeof text_introspect},
    {"jwk.md", text_jwk, sizeof text_jwk},
    {"jwt.md", text_jwt, sizeof text_jwt},
    {"listen.md", text_listen, sizeof text_listen},
    {"login.md", text_login, sizeof text_login},
    {"logout.md", text_logout, sizeof text_logout},
    {"members.md", text_members, sizeof text_members},
    {"oap.md", text_oap, sizeof text_oap},
    {"options.md", text_options, sizeof text_options},
    {"profile.md", text_profile, sizeof text_profile},
    {"provider.md", text_provider, sizeof text_provider},
    {"providers.md", text_providers, sizeof text_providers},
    {"recipes.md", text_recipes, sizeof text_recipes},
    {"refresh.md", text_refresh, sizeof text_refresh},
    {"register.md", text_register, sizeof text_register},
    {"revoke.md", text_revoke, sizeof text_revoke},
    {"proxy.md", text_proxy, sizeof text_proxy},
    {"run.md", text_run, sizeof text_run},
    {"scheme-handler.md", text_scheme_handler, sizeof text_scheme_handler},
    {"security.md", text_security, sizeof text_security},
    {"store.md", text_store, sizeof text_store},
    {"token.md", text_token, sizeof text_token},
    {"tutorial.md", text_tutorial, sizeof text_tutorial},
    {"userinfo.md", text_userinfo, sizeof text_userinfo},
    {"verify.md", text_verify, sizeof text_verify},
    {"whoami.md", text_whoami, sizeof text_whoami},
    {"providers.json", text_presets, sizeof text_presets},
    {"refusals.json", text_refusals, sizeof text_refusals},
    {"foreign.json", text_foreign, sizeof text_foreign},
    {"schemas.json", text_schemas, sizeof text_schemas},
    {"pages.json", pages, sizeof pages},
    {"page.html", page, sizeof page},
    {"style.css", style, sizeof style},
};

const unsigned char *oap_text(const char *name, size_t *length) {
    for (size_t number = 0; number < sizeof texts / sizeof texts[0]; number++) {
        if (strcmp(texts[number].name, name) != 0) continue;
        *length = texts[number].length;
        return texts[number].bytes;
    }
    *length = 0;
    return NULL;
}
