extension Demo {
    /// The tour, in the format of every scenario: how a push arrives, and the ways in which it is lost.
    static let story = """
        name: demo
        world: {nodes: 2}
        scenes:
          - title: A device registers
            moral: The app sent a signal message through a node; it never spoke to the notification service.
            steps:
              - {device: alice's phone, behaviour: as-deployed, owner: alice}
              - expect: {device: alice's phone, believesRegistered: true}
              - expect: {registration: alice's phone, account: alice}
              - expect: {row: alice's phone}

          - title: A message arrives and is shown decrypted
            moral: The push carried an address and a transaction id; the text was decrypted on the device.
            steps:
              - {message: "Lunch at noon?", from: bob, to: alice, as: lunch}
              - expect: {push: alice's phone, status: 200, transaction: lunch}
              - expect: {banner: alice's phone, text: "Lunch at noon?"}

          - title: A transfer arrives
            steps:
              - {transfer: 1.5, from: bob, to: alice, as: gift}
              - expect: {push: alice's phone, status: 200, transaction: gift}
              - expect: {banner: alice's phone, text: 1.5 ADM}

          - title: APNs reports the token invalid and the ANS drops it
            moral: "The device is not told: it still believes that it is registered."
            steps:
              - {token: alice's phone, state: unregistered}
              - {message: "Still there?", from: bob, to: alice, as: question}
              - expect: {push: alice's phone, status: 410, reason: Unregistered, transaction: question}
              - expect no: {row: alice's phone}
              - expect: {device: alice's phone, believesRegistered: true}

          - title: An account without a balance cannot register
            moral: A registration is a transaction and costs 0.001 ADM.
            steps:
              - {device: zero's phone, behaviour: as-deployed, owner: zero}
              - expect: {device: zero's phone, believesRegistered: false}
              - {signal: add, device: zero's phone, from: zero, refused: Account does not have enough ADM}
              - expect no: {registration: zero's phone, account: zero}

          - title: "The deregistration race, as-deployed client: the registration is lost"
            moral: >
              The removal that failed at sign-out was kept and landed after the new registration. The app believes it
              is registered, the chain says it is not, and nothing ever tells it.
            steps:
              - {device: dave's phone, behaviour: as-deployed, owner: dave}
              - expect: {row: dave's phone}
              - fault: the deregistration is lost
                match: {method: POST, path: /api/chats/process, chatType: 3, signalAction: remove}
                effect: {kind: reset, when: before}
              - sign-out: dave's phone
              - expect: {device: dave's phone, queuedRemovals: 1}
              - clear: faults
              - {sign-in: dave's phone, account: dave}
              - expect: {device: dave's phone, believesRegistered: true}
              - expect: {registration: dave's phone, account: dave}
              - forge: 1
              # The deployed service loses a removal that it finds together with an addition it knows.
              - ans: poll
              - kill: dave's phone
              - launch: dave's phone
              - expect no: {registration: dave's phone, account: dave}
              - expect no: {row: dave's phone}
              - expect: {device: dave's phone, believesRegistered: true}
              - {message: "Are you there?", from: bob, to: dave}
              - never: {push: dave's phone, status: 200}
                for: 1500ms

          - title: "The same with the ordered client: the registration is kept"
            moral: The ordered client dropped the kept removal as it began to register again.
            steps:
              - {device: erin's phone, behaviour: ordered, owner: erin}
              - expect: {row: erin's phone}
              - fault: the deregistration is lost
                match: {method: POST, path: /api/chats/process, chatType: 3, signalAction: remove}
                effect: {kind: reset, when: before}
              - sign-out: erin's phone
              - expect: {device: erin's phone, queuedRemovals: 1}
              - clear: faults
              - {sign-in: erin's phone, account: erin}
              - expect: {device: erin's phone, believesRegistered: true}
              - expect: {registration: erin's phone, account: erin}
              - forge: 1
              - ans: poll
              - kill: erin's phone
              - launch: erin's phone
              - expect: {device: erin's phone, queuedRemovals: 0}
              - forge: 1
              - expect: {registration: erin's phone, account: erin}
              - {message: "Are you there?", from: bob, to: erin}
              - expect: {banner: erin's phone, text: "Are you there?"}
        """
}
