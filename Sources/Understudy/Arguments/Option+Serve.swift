/// What `serve` and `exec` can be told.
extension Option {
    static let serve: [Option] = [
        config, host, port, listen, lan, socket, publicURL, fixedBackChannel, allowHost, trustedProxy,
        instance, tls,
        tlsOnly, controlToken,
        fixtures, noCache, data, seed, worldTTL,
        smtpPort, smtpRelay, outboxDir,
        web, maxConnections, bodyMemory, explain, log,
    ]

    static let config = Option.one(
        "config", "FILE", default: "understudy.json, if there is one",
        "file with options and fixtures of this folder; none reads no file")
    static let host = Option.one(
        "host", "ADDRESS", default: "localhost",
        "address to listen on; localhost is 127.0.0.1 and ::1, 0.0.0.0 is every network")
    static let port = Option.one("port", "PORT", default: "8420", "TCP port to listen on; 0 picks a free one")
    static let listen = Option.many(
        "listen", "NAME=PORT|all", separator: ",",
        "also listen on a port at whose root a platform stands, such as app=8421, blue/hanko=8430 in the world blue, or all platforms of a world, blue=8440; all gives each platform one of the ports behind --port, with app at 8421 and ten more up to 8431"
    )
    static let lan = Option.flag(
        "lan",
        "for phones in this network: --host 0.0.0.0 --tls auto --listen all, a control token, and a QR code of the console"
    )
    static let socket = Option.one(
        "socket", "PATH", "also listen on this Unix socket, with TLS where --tls is given")
    static let publicURL = Option.one(
        "public-url", "URL",
        "issuer of tokens and base of all URLs that browsers visit, instead of what the client's Host header says; back ends keep the host that they ask"
    )
    static let fixedBackChannel = Option.flag(
        "fixed-back-channel",
        "tell back ends to call --public-url too: token endpoint, keys, introspection and their kind")
    static let explain = Option.flag(
        "explain",
        "have every refusal say why, in the response header X-Understudy-Explanation; else those do whose request has X-Understudy-Explain: 1"
    )
    static let allowHost = Option.many(
        "allow-host", "NAME", separator: ",",
        "answer to this host name too, and to platforms' names below it, hanko.NAME; addresses, localhost and names without a dot are always answered"
    )
    static let trustedProxy = Option.many(
        "trusted-proxy", "ADDRESS", separator: ",",
        "believe Forwarded and X-Forwarded-Host, -Proto, -Port and -Prefix from this address, as from loopback"
    )
    static let instance = Option.one(
        "instance", "NAME",
        "which of several programs behind one proxy this is: GET /worlds, GET /info and the console say so")
    static let tls = Option.one(
        "tls", "auto|CERT,KEY",
        "speak HTTPS as well, on the same port: with certificates of a development CA that understudy ca shows how to trust, or with a certificate chain and its private key, two PEM files"
    )
    static let tlsOnly = Option.flag("tls-only", "refuse plain HTTP where --tls is given")
    static let controlToken = Option.one(
        "control-token", "TOKEN", default: "none on loopback, else a random one",
        "what the control API and the console ask for")

    static let fixtures = Option.many(
        "fixtures", "PATH", separator: ":", default: "default",
        "file or folder to load; “default” is the built-in cast, later ones add to and replace earlier ones"
    )
    static let noCache = Option.flag(
        "no-cache",
        "make the worlds of --fixtures anew at each start; otherwise the last 16 are kept in $XDG_CACHE_HOME/understudy"
    )
    static let data = Option.one(
        "data", "DIR", default: "in memory", "folder that keeps the worlds, one file each")
    static let seed = Option.one(
        "seed", "N", "makes ids, codes and keys repeatable: the same seed, the same values")
    static let worldTTL = Option.one(
        "world-ttl", "TIME", default: "1h", "drop a world in memory when it was idle for so long")

    static let smtpPort = Option.one(
        "smtp-port", "PORT", default: "none",
        "take mail by SMTP on this port of --host too, for the outbox; 0 picks a free one, STARTTLS needs --tls"
    )
    static let smtpRelay = Option.one(
        "smtp-relay", "HOST:PORT", "hand every mail to this SMTP server too, trying until it takes it")
    static let outboxDir = Option.one("outbox-dir", "DIR", "write every mail to this folder too, as .eml")

    static let web = Option.one(
        "web", "DIR", default: "built in", "folder with the console's pages")
    static let maxConnections = Option.one(
        "max-connections", "N", default: "4096",
        "open connections, as many as the system allows files; one more is answered with 503")
    static let bodyMemory = Option.one(
        "body-memory", "SIZE", default: "256M",
        "bytes that all request bodies on their way may take together, such as 64M or 1G; beyond it 503; the same again for mails, beyond it 452"
    )
    static let log = Option.one(
        "log", "text|json", default: "none",
        "write one line for each request on standard error, and why it was refused")

    static let quiet = Option.flag("quiet", "print nothing but the last line of the banner")
}
