import AdamantModel

/// One address text and what belongs to it.
///
/// A recipient written with a lower-case `u` has an entry of its own for its rows; balance and key are always those
/// of the upper-case entry.
struct Account: Sendable {
    /// As stored in transactions.
    let address: Address
    /// Whether the account has been written: see ``AccountTable``.
    var isStored = false
    /// Index of the block that wrote it; 0 when a request did.
    var storedInBlock: UInt32 = 0
    /// Hexadecimal text of the key, ready to be shown.
    var publicKeyHex: [UInt8]?
    /// Units of 1e-8 ADM.
    var balance: Int64 = 0
    /// Rows it sent to others.
    var outgoing = KindIndexes()
    /// Rows it received from others.
    var incoming = KindIndexes()
    /// Rows it sent to itself, in either spelling.
    var own = KindIndexes()

    /// The key's bytes.
    var publicKey: [UInt8]? {
        publicKeyHex.flatMap { Hex.decode(String(decoding: $0, as: UTF8.self)) }
    }
}

/// All addresses that occur, by number.
///
/// An account is stored once it was credited, was made on request, or has posted a transaction; receiving a plain
/// message does not store it.
struct AccountTable: Sendable {
    private(set) var accounts = PagedArray<Account>()
    /// Accounts that later blocks wrote are out of sight.
    var visibleBlocks = UInt32.max
    private var numbers: [Address: UInt32] = [:]

    /// How many addresses have occurred.
    var count: Int { accounts.count }

    /// The account at a number.
    subscript(number: UInt32) -> Account {
        get { accounts[number] }
        _modify { yield &accounts[number] }
    }

    /// The number of an address exactly as written; nil when it never occurred.
    func number(_ address: Address) -> UInt32? { numbers[address] }

    /// The number of an address exactly as written.
    mutating func intern(_ address: Address) -> UInt32 {
        if let number = numbers[address] { return number }
        let number = UInt32(accounts.count)
        accounts.append(Account(address: address))
        numbers[address] = number
        return number
    }

    /// The stored account of an address in either spelling.
    func stored(_ address: Address) -> UInt32? {
        guard let number = numbers[address.uppercased], accounts[number].isStored,
            accounts[number].storedInBlock < visibleBlocks
        else { return nil }
        return number
    }

    /// Writes an account's row, for the block of an index or on request; tells whether anything changed.
    mutating func store(_ address: Address, publicKey: [UInt8]?, inBlock block: UInt32 = 0) -> (
        number: UInt32, changed: Bool
    ) {
        let number = intern(address.uppercased)
        var changed = !accounts[number].isStored
        if changed {
            accounts[number].isStored = true
            accounts[number].storedInBlock = block
        } else if block < accounts[number].storedInBlock {
            accounts[number].storedInBlock = block
        }
        if let publicKey, accounts[number].publicKeyHex == nil {
            accounts[number].publicKeyHex = Array(Hex.encode(publicKey).utf8)
            changed = true
        }
        return (number, changed)
    }

    /// Both spellings of an address that occur, given the upper-case one.
    func spellings(_ address: Address) -> [UInt32] {
        [address, address.lowercased].compactMap { numbers[$0] }
    }
}

extension Address {
    /// The address with a lower-case `u`.
    var lowercased: Address { Address("u" + text.dropFirst()) ?? self }

    /// Whether it begins with an upper-case `U`.
    var isUppercased: Bool { text.utf8.first == UInt8(ascii: "U") }
}
