import Essentials
import HTTP
import Phone
import PlatformKit
import SQLite

extension Console {
    /// `GET /search?q=`: what has these words, of everything that the console shows, and what can be done; without words the pages and what
    /// can be done.
    func searchPage(_ world: World, _ request: Request) throws -> Page {
        let words = (request.queryItems["q"] ?? "").trimmed
        let search = try request.queryItems.search("q", isTyped: true)
        // “advance 5 min” is “Advance the clock by 5 minutes”.
        let parts = try words.split(separator: " ").map { try TextSearch(String($0)) }
        let known = [
            SearchPage.Group("Actions", SearchPage.actions(world.name).filter { $0.has(parts) }),
            SearchPage.Group("Pages", (SearchPage.pages + platformPages).filter { $0.has(parts) }),
        ]
        let groups = try search.map { search in
            let finder = Finder(console: self, world: world, words: words, search: search)
            return try finder.groups + known + [finder.documentation]
        }
        let page = SearchPage(
            base: request.mount, words: words, groups: (groups ?? known).filter { !$0.hits.isEmpty })
        return Page(title: "Search", hasForms: true, main: page.html)
    }
}

extension Console {
    /// Those that platforms show to people.
    private var platformPages: [SearchPage.Hit] {
        info.platforms.compactMap { $0 as? any ShowsPages.Type }.flatMap { platform in
            platform.pages.map {
                SearchPage.Hit($0.title, "", path: "/" + (platform.mountPaths.first ?? "") + $0.path)
            }
        }
    }
}

/// Looks for words in everything that the console shows of a world.
struct Finder {
    let console: Console
    let world: World
    /// Entries of the journal, the newest, among which flows are looked for: somebody waits at each key.
    static let entryLimit = 1000

    /// As they were typed.
    let words: String
    let search: TextSearch

    /// What the world has.
    var groups: [SearchPage.Group] {
        get throws {
            [
                SearchPage.Group("People and devices", try people()),
                try group("Messages", "/outbox", messages), try group("Waiting", "/transactions", decisions),
                try group("Phones", "/phones", phones), SearchPage.Group("Flows and requests", steps()),
            ]
        }
    }

    private func group(_ title: String, _ path: String, _ find: () throws -> [SearchPage.Hit]) throws
        -> SearchPage.Group
    {
        SearchPage.Group(title, try apart(title, path, find))
    }

    /// Looks through one list, whose rows give their memory back before the next one is read: a search needs that of the longest alone.
    private func apart(_ title: String, _ path: String, _ find: () throws -> [SearchPage.Hit]) throws
        -> [SearchPage.Hit]
    {
        try withinMemory(find) ?? [Self.gap(title, path: path)]
    }

    /// What `find` makes of a list; nil when it is too long for the memory that there is, of which a search takes a part alone, since nobody
    /// asked for the list.
    private func withinMemory<Found>(_ find: () throws -> Found) throws -> Found? {
        do {
            return try console.info.work.part(oneOf: 4).holdingRows(find)
        } catch is WorkMemory.Shortage {
            return nil
        } catch let error as SQLiteError where error.storageFault == .memory {
            return nil
        }
    }

    private static func gap(_ title: String, path: String) -> SearchPage.Hit {
        SearchPage.Hit(
            "\(title): not searched", "This list takes more memory than a search has at the moment.",
            path: path)
    }

    var documentation: SearchPage.Group { SearchPage.Group("Documentation", sections()) }

    private func people() throws -> [SearchPage.Hit] {
        var query = RecordQuery()
        (query.text, query.limit) = (search, SearchPage.limit)
        let cast = try world.people.all().filter { person in
            [person.id, person.name, person.email].contains(where: search.isIn)
        }
        .map { SearchPage.Hit($0.name, $0.email, path: "/devices?q=\($0.email.percentEncoded)") }
        var gaps: [SearchPage.Hit] = []
        var records: [ConsoleRecord] = []
        for platform in console.recordWatch(world).platforms {
            let found = try withinMemory {
                let all = try world.ask(platform, (any KeepsRecords).self)?.records() ?? []
                return query.chosen(from: all.newestFirst(by: \.createdAt))
            }
            if let found {
                records += found
            } else {
                gaps.append(Self.gap(platform.title, path: "/devices?platform=\(platform.name)"))
            }
        }
        let found = cast + records.newestFirst(by: \.createdAt).map(hit)
        return found.prefix(SearchPage.limit) + gaps
    }

    private func hit(_ record: ConsoleRecord) -> SearchPage.Hit {
        SearchPage.Hit(
            record.title.shownTitle,
            [record.user, record.kind, RecordWords.word(record.state)].compactMap(\.self)
                .joined(separator: " · "),
            path: RecordLine.path(record))
    }

    private func messages() throws -> [SearchPage.Hit] {
        var query = OutboxStore.Query()
        (query.words, query.limit) = (search, SearchPage.limit)
        return try world.outbox.messages(query).map(MessageJSON.init).map { message in
            SearchPage.Hit(
                message.shownSubject,
                [message.to.address, message.code].compactMap(\.self).joined(separator: " · "),
                path: "/outbox/\(message.id)")
        }
    }

    private func decisions() throws -> [SearchPage.Hit] {
        try console.watch(world).all().lazy.filter { one in
            [one.id, one.title, one.user ?? ""].contains(where: search.isIn)
        }
        .prefix(SearchPage.limit).map { one in
            SearchPage.Hit(
                one.title.shownTitle,
                [one.user, RecordWords.word(one.state)].compactMap(\.self).joined(separator: " · "),
                path: TransactionLine.path(one.id))
        }
    }

    private func phones() throws -> [SearchPage.Hit] {
        try Phones(world).all().filter { search.isIn($0.name) || search.isIn($0.owner ?? "") }
            .prefix(SearchPage.limit).map { phone in
                SearchPage.Hit(
                    phone.name, "Phone of \(phone.owner ?? "nobody")", path: "/phones/\(phone.name)")
            }
    }

    /// Flows by what they are called, an entry by its number, and requests by the id that their answers had in `X-Request-Id`.
    private func steps() -> [SearchPage.Hit] {
        var query = Journal.Query()
        (query.correlation, query.limit) = (words, SearchPage.limit)
        var entries = world.journal.entries(query)
        if let id = Int(digits: words), let entry = world.journal.entry(id) { entries.append(entry) }
        let requests = entries.compactMap { entry in
            entry.exchange.map { exchange in
                SearchPage.Hit(
                    "\(exchange.method) \(exchange.target.shortened)",
                    "\(exchange.status) · entry \(entry.id)",
                    path: "/journal/\(entry.id)")
            }
        }
        let flows = console.flows(of: world, among: Self.entryLimit).lazy.filter { search.isIn($0.title) }
            .prefix(SearchPage.limit)
            .map {
                SearchPage.Hit($0.title, "Flow of \($0.extent)", path: "/flows/\($0.id)")
            }
        return requests + flows
    }

    /// A text of the documentation without all that stands between its headings, which takes long to read.
    private static func headings(of text: String) -> String {
        var isCode = false
        return text.split(separator: "\n").filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode && line.hasPrefix("#")
        }
        .joined(separator: "\n\n")
    }

    /// Headings of the documentation.
    private func sections() -> [SearchPage.Hit] {
        console.docsNames.lazy.flatMap { name -> [SearchPage.Hit] in
            // Most pages have no such heading, and need not be read.
            guard let headings = console.docsText(name).map(Self.headings),
                search.isIn(headings.replacing("`", with: "")),
                let page = try? Markdown(headings)
            else { return [] }
            return page.sections.filter { search.isIn($0.title) }.map { section in
                SearchPage.Hit(
                    section.title, section.level == 1 ? "" : page.title,
                    path: "/docs/\(name)" + (section.level == 1 ? "" : "#" + section.id))
            }
        }
        .prefix(SearchPage.limit).map(\.self)
    }
}
