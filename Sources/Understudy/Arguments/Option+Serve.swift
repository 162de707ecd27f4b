/// What `serve`, `exec` and `record` can be told.
extension Option {
    static let serve: [Option] = [
        config, host, port, listen, lan, socket, publicURL, fixedBackChannel, allowHost, trustedProxy,
        instance, tls,
        tlsOnly, controlToken,
        fixtures, noCache, data, seed, worldTTL,
        smtpPort, smtpRelay, outboxDir, twilio,
        upstream, upstreamCA, showSecrets,
        web, maxConnections, bodyMemory, explain, log,
    ]

    /// For programs that run a command: they take a free port unless one is given.
    static let serveCommand: [Option] = serve.map { option in
        var option = option
        if option.name == port.name { option.fallback = "a free one" }
        return option
    }

    static let config = Option.one(
        "config", "FILE", default: "understudy.json, if there is one",
        "file with options and fixtures; none reads no file")
    static let host = Option.one(
        "host", "ADDRESS", default: "localhost",
        "address to listen on; localhost is 127.0.0.1 and ::1, 0.0.0.0 is every network")
    static let port = Option.one("port", "PORT", default: "8420", "TCP port to listen on; 0 picks a free one")
    static let listen = Option.many(
        "listen", "NAME=PORT|all", separator: ",",
        "also listen on a port that has a platform at its root, such as app=8421, blue/hanko=8430 in the world blue, or all platforms of a world, blue=8440; all gives each platform one of the ports after --port: app gets 8421, ten more follow up to 8431"
    )
    static let lan = Option.flag(
        "lan",
        "for phones on this network: --host 0.0.0.0 --tls auto --listen all, a control token, and a QR code of the console"
    )
    static let socket = Option.one(
        "socket", "PATH", "also listen on this Unix socket, with TLS where --tls is given")
    static let publicURL = Option.one(
        "public-url", "URL",
        "issuer of tokens and base of all URLs that browsers visit, instead of the client's Host header; back ends keep the host that they use"
    )
    static let fixedBackChannel = Option.flag(
        "fixed-back-channel",
        "have back ends call --public-url too: for tokens, keys, introspection and so on")
    static let explain = Option.flag(
        "explain",
        "explain every refusal in the response header X-Understudy-Explanation; by default only if the request has X-Understudy-Explain: 1, or the control token in the place of 1 where one is required"
    )
    static let allowHost = Option.many(
        "allow-host", "NAME", separator: ",",
        "also answer to this host name, and to platforms' names below it, such as hanko.NAME; IP addresses, localhost and names without a dot are always allowed"
    )
    static let trustedProxy = Option.many(
        "trusted-proxy", "ADDRESS", separator: ",",
        "trust Forwarded and X-Forwarded-Host, -Proto, -Port and -Prefix from this address, as from loopback"
    )
    static let instance = Option.one(
        "instance", "NAME",
        "the name of this program among several behind one proxy, shown by GET /worlds, GET /info and the console"
    )
    static let tls = Option.one(
        "tls", "auto|CERT,KEY",
        "also speak HTTPS on the same port: auto uses certificates of a development CA (understudy ca shows how to trust it); CERT,KEY are two PEM files, a certificate chain and its private key"
    )
    static let tlsOnly = Option.flag("tls-only", "refuse plain HTTP where --tls is given")
    static let controlToken = Option.one(
        "control-token", "TOKEN", default: "none on loopback, otherwise a random one",
        "the token that the control API and the console require")

    static let fixtures = Option.many(
        "fixtures", "PATH", separator: ":", default: "default",
        "file or folder to load; “default” is the built-in cast; later ones add to and replace earlier ones"
    )
    static let noCache = Option.flag(
        "no-cache",
        "build the worlds of --fixtures again at each start; otherwise the last 16 are kept in $XDG_CACHE_HOME/understudy"
    )
    static let data = Option.one(
        "data", "DIR", default: "in memory", "folder that keeps the worlds, one file each")
    static let seed = Option.one(
        "seed", "N", "make ids, codes and keys but RSA keys repeatable: same seed, same values")
    static let worldTTL = Option.one(
        "world-ttl", "TIME", default: "1h", "drop a world in memory after it was idle for this time")

    static let smtpPort = Option.one(
        "smtp-port", "PORT", default: "none",
        "also accept mail by SMTP on this port of --host, for the outbox; 0 picks a free one, STARTTLS needs --tls"
    )
    static let smtpRelay = Option.one(
        "smtp-relay", "HOST:PORT", "also send every mail to this SMTP server, retrying until it accepts it")
    static let outboxDir = Option.one("outbox-dir", "DIR", "also write every mail to this folder, as .eml")

    static let twilio = Option.flag(
        "twilio",
        "also take the text messages that your back end sends by Twilio's API, at /twilio, for the outbox")

    static let upstream = Option.many(
        "upstream", "MOUNT=URL", separator: ",",
        "pass requests to a mount on to a real service in the place of the platform, such as hanko=https://tenant.example; its answers go to the client with our addresses in them"
    )
    static let upstreamCA = Option.one(
        "upstream-ca", "FILE", default: "the system's authorities alone",
        "PEM file with certificate authorities that --upstream trusts as well")
    static let showSecrets = Option.flag(
        "show-secrets",
        "keep tokens, passwords and cookies of upstreams in the journal, in flows and in HAR files; by default they are masked"
    )

    static let web = Option.one(
        "web", "DIR", default: "built in", "folder with the console's pages")
    static let maxConnections = Option.one(
        "max-connections", "N", default: "4096, fewer where memory is limited",
        "most open connections, up to the system's limit of open files; one more is answered with 503")
    static let bodyMemory = Option.one(
        "body-memory", "SIZE", default: "a quarter of the memory, at most a third of what is left, and 256M",
        "most memory for bodies, mails and unread answers of all clients, such as 64M or 1G; beyond it, 503, for mails 452"
    )
    static let log = Option.one(
        "log", "text|json", default: "none",
        "write a line for each request to standard error, and why it was refused")

    static let quiet = Option.flag(
        "quiet", "print only the last line of the banner, and fixed codes before it")
}
