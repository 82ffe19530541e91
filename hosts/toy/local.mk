# hosts/toy
