import Essentials
import PlatformKit
import Platforms
import SQLite
import Testing

@testable import Understudy

@Suite struct CarriedWorldTests {
    private let program = Data("\u{7F}ELF and so on".utf8)

    private func content() throws -> DatabaseImage { try FixtureCheck.load(FixtureFiles.builtIn()).content }

    @Test func `a program gives back the world that was put behind it`() throws {
        let content = try content()
        let carrying = CarriedWorld.put(content, behind: program)
        #expect(carrying.starts(with: program))
        #expect(CarriedWorld.find(in: carrying)?.bytes == content.bytes)
    }

    @Test func `a world takes the place of the one that was carried before`() throws {
        let content = try content()
        let once = CarriedWorld.put(content, behind: program)
        #expect(CarriedWorld.put(content, behind: once) == once)
    }

    @Test(arguments: ["", "understudy world 0000000009\n", "understudy world 000000000x\n", "12345\n"])
    func `a program without a whole world carries none`(_ end: String) {
        #expect(CarriedWorld.find(in: Data("short".utf8) + Data(end.utf8)) == nil)
    }

    @Test func `the world made of the content is the one made of the fixtures`() throws {
        let made = try FixtureCheck.load(FixtureFiles.builtIn())
        let carried = try Worlds(
            sections: Platforms.sections, content: DatabaseImage(bytes: made.content.bytes),
            settings: Worlds.Settings(builtInFixtures: try FixtureFiles.builtIn()))
        #expect(carried.content.bytes == made.content.bytes)
        let worlds = try [made, carried].map { try #require(try $0.world(Worlds.defaultName)) }
        #expect(try made.export(worlds[0]) == carried.export(worlds[1]))
    }
}
