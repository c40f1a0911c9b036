#ifndef OAP_CLibCurl_H
#define OAP_CLibCurl_H
#endif
